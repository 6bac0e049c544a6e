package dev.redlock.spring.interceptor;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Supplier;

import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.template.PackagePrivateMethod;
import io.reactivex.rxjava3.core.Single;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import org.aopalliance.aop.Advice;
import reactor.core.publisher.ConnectableFlux;
import reactor.core.publisher.Flux;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * Beans that must not start, since the annotation is where it could not lock.
 */
final class Misplaced {

	private Misplaced() {
	}

	static class PrivateMethod {

		@RedLock("x")
		private void sell(String sku) {
		}

	}

	static class StaticMethod {

		@RedLock("x")
		public static void sell(String sku) {
		}

	}

	static class FinalMethod {

		@RedLock("x")
		public final void sell(String sku) {
		}

	}

	static class InitMethod {

		@PostConstruct
		@RedLock("x")
		public void load() {
		}

	}

	static class AutowiredMethod {

		@Autowired
		@RedLock("x")
		public void load(Environment environment) {
		}

	}

	static class ResourceMethod {

		@Resource
		@RedLock("x")
		public void setEnvironment(Environment environment) {
		}

	}

	static class AfterPropertiesSet implements InitializingBean {

		@Override
		@RedLock("x")
		public void afterPropertiesSet() {
		}

	}

	static class PreDestroyMethod {

		@PreDestroy
		@RedLock("x")
		public void save() {
		}

	}

	static class DestroyMethod implements DisposableBean {

		@Override
		@RedLock("x")
		public void destroy() {
		}

	}

	static class CloseMethod implements AutoCloseable {

		@Override
		@RedLock("x")
		public void close() {
		}

	}

	@Configuration
	static class BeanMethod {

		@Bean
		@RedLock("x")
		public String made() {
			return "made";
		}

	}

	static final class FinalClass {

		@RedLock("x")
		public void sell(String sku) {
		}

	}

	record Record() {

		@RedLock("x")
		public void sell(String sku) {
		}

	}

	static class OfAnotherPackage extends PackagePrivateMethod {

	}

	static class UnproxiedBean implements Advice {

		@RedLock("x")
		public void sell(String sku) {
		}

	}

	static class SpecialFlux {

		@RedLock("x")
		public ConnectableFlux<String> sell(String sku) {
			return Flux.just(sku).publish();
		}

	}

	static class SpecialFuture {

		@RedLock("x")
		public Promise sell(String sku) {
			return new Promise();
		}

	}

	static class Promise extends CompletableFuture<String> {

	}

	static class SkipOfSingle {

		@RedLock(resource = "x", onFailure = RedLock.OnFailure.SKIP)
		public Single<String> sell(String sku) {
			return Single.just(sku);
		}

	}

	static class PlainFuture {

		@RedLock("x")
		public Future<String> sell(String sku) {
			return CompletableFuture.completedFuture(sku);
		}

	}

	static class TwoInterfaces implements Sells, Counts {

		@Override
		public void sell(String sku) {
		}

	}

	static class InterfaceAndSuperclass extends Shop implements Sells {

	}

	static class SuperclassOfTwoInterfaces extends Plain implements Sells, Counts {

	}

	static class TypesOfTwoInterfaces implements Sold, Counted {

		public void sell(String sku) {
		}

	}

	static class SameOnBothInterfaces implements Sells, Resells {

		@Override
		public void sell(String sku) {
		}

	}

	static class AnnotationWithNumbers {

		@OnShards(numbers = { 1, 2 })
		public void sell(String sku) {
		}

	}

	@RedLock("shards")
	@Retention(RetentionPolicy.RUNTIME)
	@interface OnShards {

		int[] numbers();

	}

	static class OwnAnnotation implements Sells, Counts {

		@Override
		@RedLock("own")
		public void sell(String sku) {
		}

	}

	interface Sells {

		@RedLock("sold")
		void sell(String sku);

	}

	interface Resells {

		@RedLock(resource = "sold")
		void sell(String sku);

	}

	interface Counts {

		@RedLock("counted")
		void sell(String sku);

	}

	static class Shop {

		@RedLock("shop")
		public void sell(String sku) {
		}

	}

	static class Plain {

		public void sell(String sku) {
		}

	}

	@RedLock("sold")
	interface Sold {

	}

	@RedLock("counted")
	interface Counted {

	}

	static class NotOnTheInterface implements Supplier<List<String>> {

		@Override
		public List<String> get() {
			return List.of();
		}

		@RedLock("x")
		public void sell(String sku) {
		}

	}

}

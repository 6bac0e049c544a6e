package dev.redlock.spring.interceptor;

import java.util.List;
import java.util.function.Function;

import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.template.LockWorld;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class SelfInvocationTests {

	@ParameterizedTest
	@ValueSource(
			classes = { Direct.class, InLambda.class, ByReference.class, FromSuperclass.class, OfSuperclass.class })
	void callOfAnOwnLockedMethodIsHintedAt(Class<?> bean, CapturedOutput output) {
		start(bean);
		assertThat(output).containsOnlyOnce("sellAll calls sell of its own, which has @RedLock")
			.contains("does not pass through the proxy", "RedLockTemplate", "RedLockAspect");
	}

	@ParameterizedTest
	@ValueSource(classes = { NoCall.class, Injected.class, Provided.class, Handed.class, Recursive.class,
			UnboundReference.class, OfGenericInterface.class })
	void callThatMayWellBeLockedIsNotHintedAt(Class<?> bean, CapturedOutput output) {
		start(bean);
		assertThat(output).doesNotContain("of its own");
	}

	@Test
	void hintNamesTheClassOfTheCaller(CapturedOutput output) {
		start(FromSuperclass.class);
		assertThat(output).contains(Base.class.getName() + ".sellAll calls sell");
	}

	private static void start(Class<?> bean) {
		LockedContexts.runner(new LockWorld()).withBean("one", bean).withBean("two", Other.class).run((context) -> {
			assertThat(context).hasNotFailed();
			context.getAutowireCapableBeanFactory().createBean(bean);
		});
	}

	static class Other {

	}

	static class Direct {

		public void sellAll(List<String> skus) {
			for (String sku : skus) {
				sell(sku);
			}
			sell("one more");
		}

		@RedLock("#{#sku}")
		public void sell(String sku) {
		}

	}

	static class InLambda {

		public void sellAll(List<String> skus) {
			skus.forEach((sku) -> sell(sku));
		}

		@RedLock("#{#sku}")
		public void sell(String sku) {
		}

	}

	static class ByReference {

		public void sellAll(List<String> skus) {
			skus.forEach(this::sell);
		}

		@RedLock("#{#sku}")
		public void sell(String sku) {
		}

	}

	static class Base {

		public void sellAll() {
			sell("42");
		}

		public void sell(String sku) {
		}

	}

	static class FromSuperclass extends Base {

		@Override
		@RedLock("#{#sku}")
		public void sell(String sku) {
		}

	}

	static class LockedBase {

		@RedLock("#{#sku}")
		public void sell(String sku) {
		}

	}

	static class OfSuperclass extends LockedBase {

		public void sellAll() {
			sell("42");
		}

	}

	static class NoCall {

		@RedLock("x")
		public void sell() {
			check();
		}

		private void check() {
		}

	}

	static class Injected {

		private Injected self = this;

		public void sellAll() {
			this.self.sell();
		}

		@RedLock("x")
		public void sell() {
		}

	}

	static class Provided {

		private final ObjectProvider<Provided> self;

		Provided(ObjectProvider<Provided> self) {
			this.self = self;
		}

		public void sellAll() {
			this.self.getObject().sell();
		}

		@RedLock("x")
		public void sell() {
		}

	}

	static class Handed {

		public void sellAll(Handed other) {
			other.sell();
		}

		@RedLock("x")
		public void sell() {
		}

	}

	static class Recursive {

		@RedLock("x")
		public void sell(int depth) {
			if (depth > 0) {
				sell(depth - 1);
			}
		}

	}

	interface Seller<T> {

		void sell(T sku);

	}

	/**
	 * The compiler adds a bridge method sell(Object) that calls sell(String).
	 */
	static class OfGenericInterface implements Seller<String> {

		@Override
		@RedLock("#{#sku}")
		public void sell(String sku) {
		}

	}

	static class UnboundReference {

		public Function<UnboundReference, String> sellAll() {
			return UnboundReference::sell;
		}

		@RedLock("x")
		public String sell() {
			return "";
		}

	}

}

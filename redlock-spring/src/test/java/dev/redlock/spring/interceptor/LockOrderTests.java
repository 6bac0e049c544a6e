package dev.redlock.spring.interceptor;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import dev.redlock.LockLostAfterCommitException;
import dev.redlock.LockWorld;
import dev.redlock.spring.annotation.RedLock;
import org.aspectj.lang.JoinPoint;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.aop.framework.Advised;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.resilience.annotation.ConcurrencyLimit;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

class LockOrderTests {

	private final LockWorld world = new LockWorld();

	private final ApplicationContextRunner runner = LockedContexts.runner(this.world)
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class))
		.withUserConfiguration(Everything.class)
		.withBean(LockWorld.class, () -> this.world)
		.withBean(Shop.class);

	@ParameterizedTest
	@ValueSource(strings = { "", "spring.aop.auto=false", "no AspectJ" })
	void aCallPassesAsyncRetryableSecurityTheLockTheCacheAndTheTransaction(String variant) {
		ApplicationContextRunner application = variant.equals("no AspectJ")
				? this.runner.withClassLoader(new FilteredClassLoader("org.aspectj"))
				: this.runner.withPropertyValues(variant);
		application.run((context) -> assertThat(
				chain(context.getBean(Shop.class)).filter((name) -> !name.startsWith("ConcurrencyLimit")))
			.containsExactly("AnnotationAsyncExecutionInterceptor", "RetryAnnotationInterceptor",
					"DeferringMethodInterceptor", "RedLockInterceptor", "CacheInterceptor", "TransactionInterceptor"));
	}

	@Test
	void beanOfAChildContextIsLockedOnce() {
		this.runner.run((parent) -> this.runner.withParent(parent)
			.run((child) -> assertThat(chain(child.getBean(Shop.class)).filter("RedLockInterceptor"::equals))
				.hasSize(1)));
	}

	@Test
	void aspectOfTheApplicationIsOrderedAroundTheLock() {
		this.runner.withUserConfiguration(Aspects.class).run((context) -> {
			context.getBean(Shop.class).sellInTransaction();
			assertThat(context.getBean(Outside.class).held).containsExactly(false);
			assertThat(context.getBean(Inside.class).held).containsExactly(true);
		});
	}

	@Test
	void aspectBehindTheLockSeesItsCallWhenAPublisherIsSubscribedToOnAnotherThread() {
		this.runner.withUserConfiguration(Aspects.class).run((context) -> {
			assertThat(context.getBean(Shop.class)
				.sellAtSecondSubscription()
				.retry(1)
				.subscribeOn(Schedulers.single())
				.block()).hasSize(2);
			assertThat(context.getBean(Inside.class).held).containsExactly(true, true);
		});
	}

	@Test
	void transactionThatBeginsBeforeTheLockIsRefused() {
		LockedContexts.runner(this.world)
			.withUserConfiguration(FirstTransaction.class)
			.withBean(Sale.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidRedLockException.class)
				.hasMessage("@RedLock on " + Sale.class.getName()
						+ ".sell(), place: the transaction begins before the lock is taken, so the method could read "
						+ "outdated data. Remove the order of @EnableTransactionManagement, or set an order above "
						+ "1000, the order of the lock."));
	}

	private static Stream<String> chain(Object bean) {
		return Stream.of(((Advised) bean).getAdvisors())
			.map((advisor) -> advisor.getAdvice().getClass().getSimpleName())
			.filter((name) -> !name.startsWith("ExposeInvocation"));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement(order = RedLockAdvisor.ORDER - 1)
	static class FirstTransaction {

		@Bean
		PlatformTransactionManager transactionManager() {
			return mock(PlatformTransactionManager.class);
		}

	}

	static class Sale {

		@RedLock("sale")
		@Transactional
		public void sell() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ Outside.class, Inside.class })
	static class Aspects {

	}

	@Aspect
	@Order(RedLockAdvisor.ORDER - 1)
	static class Outside extends Watching {

		Outside(LockWorld world) {
			super(world);
		}

		@Before("execution(* dev.redlock.spring.interceptor.LockOrderTests.Shop.sell*(..))")
		void before(JoinPoint call) {
			watch();
		}

	}

	@Aspect
	static class Inside extends Watching {

		Inside(LockWorld world) {
			super(world);
		}

		@Before("execution(* dev.redlock.spring.interceptor.LockOrderTests.Shop.sell*(..))")
		void before(JoinPoint call) {
			watch();
		}

	}

	abstract static class Watching {

		final List<Boolean> held = new CopyOnWriteArrayList<>();

		private final LockWorld world;

		Watching(LockWorld world) {
			this.world = world;
		}

		void watch() {
			this.held.add(this.world.isHeld("tx") || this.world.isHeld("subscription"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	@EnableMethodSecurity
	@EnableCaching
	@EnableResilientMethods
	@EnableTransactionManagement(proxyTargetClass = true)
	static class Everything {

		@Bean
		SimpleAsyncTaskExecutor taskExecutor() {
			return new SimpleAsyncTaskExecutor("worker-");
		}

		@Bean
		ConcurrentMapCacheManager cacheManager() {
			return new ConcurrentMapCacheManager();
		}

		@Bean
		PlatformTransactionManager transactionManager() {
			return mock(PlatformTransactionManager.class);
		}

	}

	/**
	 * Public, since with a class loader of its own the proxy is in another package.
	 */
	public static class Shop {

		final List<String> steps = new ArrayList<>();

		@Async
		@ConcurrencyLimit(1)
		@Retryable(excludes = LockLostAfterCommitException.class)
		@PreAuthorize("true")
		@RedLock("everything")
		@Cacheable("everything")
		@Transactional
		public CompletableFuture<String> everything() {
			return CompletableFuture.completedFuture("done");
		}

		@RedLock("tx")
		@Transactional
		public void sellInTransaction() {
		}

		@RedLock("subscription")
		@Transactional
		public Mono<List<String>> sellAtSecondSubscription() {
			this.steps.add("in transaction " + TransactionSynchronizationManager.isActualTransactionActive());
			return (this.steps.size() == 1) ? Mono.error(new IllegalStateException("of the first subscription"))
					: Mono.just(this.steps);
		}

	}

}

package dev.redlock.spring.interceptor;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
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
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

class LockOrderTests {

	private final LockWorld world = new LockWorld();

	private final ApplicationContextRunner runner = LockedContexts.runner(this.world)
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class))
		.withUserConfiguration(Everything.class, LastAsync.class)
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
	void lockIsInsideOfAsyncWhateverTheOrderOfAsync() {
		LockedContexts.runner(this.world)
			.withUserConfiguration(Everything.class, FirstAsync.class)
			.withBean(LockWorld.class, () -> this.world)
			.withBean(Shop.class)
			.run((context) -> assertThat(chain(context.getBean(Shop.class)))
				.containsSubsequence("AnnotationAsyncExecutionInterceptor", "RedLockInterceptor"));
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

	@Test
	void callPassesTheChainInThisOrder() {
		this.runner.run((context) -> {
			Shop shop = context.getBean(Shop.class);
			shop.callEverything();
			List<String> steps = shop.awaitSteps();
			System.out.println("Each of two tries sees: " + steps.get(0));
			assertThat(steps).containsExactly("worker, locked, in transaction", "worker, locked, in transaction");
		});
	}

	@Test
	void eachSubscriptionPassesWhatIsBehindTheLock() {
		this.runner.run((context) -> {
			Shop shop = context.getBean(Shop.class);
			assertThat(shop.sellAtSecondSubscription().retry(1).block()).containsExactly("in transaction true",
					"in transaction true");
		});
	}

	private static Stream<String> chain(Object bean) {
		return Stream.of(((Advised) bean).getAdvisors())
			.map((advisor) -> advisor.getAdvice().getClass().getSimpleName())
			.filter((name) -> !name.startsWith("ExposeInvocation"));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	static class LastAsync {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync(order = 0)
	static class FirstAsync {

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
		EmbeddedDatabase dataSource() {
			return new EmbeddedDatabaseBuilder().setType(EmbeddedDatabaseType.H2).generateUniqueName(true).build();
		}

		@Bean
		DataSourceTransactionManager transactionManager(EmbeddedDatabase dataSource) {
			return new DataSourceTransactionManager(dataSource);
		}

		@Bean
		JdbcClient jdbcClient(EmbeddedDatabase dataSource) {
			JdbcClient client = JdbcClient.create(dataSource);
			client.sql("create table sold (sku varchar(10))").update();
			return client;
		}

	}

	/**
	 * Public, since with a class loader of its own the proxy is in another package.
	 */
	public static class Shop {

		final List<String> steps = new ArrayList<>();

		final CountDownLatch called = new CountDownLatch(1);

		final List<Long> fences = new ArrayList<>();

		private final LockWorld world;

		private final JdbcClient jdbc;

		public Shop(LockWorld world, JdbcClient jdbc) {
			this.world = world;
			this.jdbc = jdbc;
		}

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

		/**
		 * Fails at first, so that the second try shows what a retry passes again.
		 */
		@Async
		@ConcurrencyLimit(1)
		@Retryable(delay = 0, excludes = LockLostAfterCommitException.class)
		@RedLock("observed")
		@Cacheable("observed")
		@Transactional
		public void callEverything() {
			this.steps.add(Thread.currentThread().getName().replaceAll("-\\d+", "")
					+ (this.world.isHeld("observed") ? ", locked" : ", not locked")
					+ (TransactionSynchronizationManager.isActualTransactionActive() ? ", in transaction" : ""));
			if (this.steps.size() == 1) {
				throw new IllegalStateException("of the first try");
			}
			this.called.countDown();
		}

		public List<String> awaitSteps() throws InterruptedException {
			assertThat(this.called.await(5, TimeUnit.SECONDS)).isTrue();
			return this.steps;
		}

		@RedLock("tx")
		@Transactional
		public List<String> sellInTransaction() {
			this.jdbc.sql("insert into sold values ('42')").update();
			this.steps.add("in transaction, held " + this.world.isHeld("tx"));
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
				@Override
				public void afterCompletion(int status) {
					Shop.this.steps.add("after completion, held " + Shop.this.world.isHeld("tx"));
				}
			});
			return this.steps;
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

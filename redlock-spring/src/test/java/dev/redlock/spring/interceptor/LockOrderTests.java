package dev.redlock.spring.interceptor;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.redlock.CurrentLease;
import dev.redlock.LockWorld;
import dev.redlock.spring.annotation.RedLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

import org.springframework.aop.framework.Advised;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
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
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class LockOrderTests {

	private static final List<String> CHAIN = List.of("AnnotationAsyncExecutionInterceptor",
			"ConcurrencyLimitInterceptor", "RetryAnnotationInterceptor", "RedLockInterceptor", "CacheInterceptor",
			"TransactionInterceptor");

	private final LockWorld world = new LockWorld();

	private final ApplicationContextRunner runner = LockedContexts.runner(this.world)
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class))
		.withUserConfiguration(Everything.class)
		.withBean(LockWorld.class, () -> this.world)
		.withBean(Shop.class);

	@Test
	void lockIsInsideOfAsyncAndRetryAndOutsideOfCacheAndTransaction() {
		this.runner.run((context) -> assertThat(chain(context.getBean(Shop.class))).isEqualTo(CHAIN));
	}

	@Test
	void orderIsTheSameWithoutAopAutoConfiguration() {
		this.runner.withPropertyValues("spring.aop.auto=false")
			.run((context) -> assertThat(chain(context.getBean(Shop.class))).isEqualTo(CHAIN));
	}

	@Test
	void orderIsTheSameWithoutAspectJ() {
		this.runner.withClassLoader(new FilteredClassLoader("org.aspectj"))
			.run((context) -> assertThat(chain(context.getBean(Shop.class))).isEqualTo(CHAIN));
	}

	@Test
	void chainIsPrinted(CapturedOutput output) {
		this.runner.run((context) -> System.out
			.println("A call passes " + String.join(" > ", chain(context.getBean(Shop.class))) + " > the method"));
		assertThat(output).contains("AnnotationAsyncExecutionInterceptor > ConcurrencyLimitInterceptor"
				+ " > RetryAnnotationInterceptor > RedLockInterceptor > CacheInterceptor > TransactionInterceptor");
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
	void lockIsReleasedAfterTheCommit() {
		this.runner.run((context) -> {
			assertThat(context.getBean(Shop.class).sellInTransaction()).containsExactly("in transaction, held true",
					"after completion, held true");
			assertThat(this.world.isHeld("tx")).isFalse();
			assertThat(context.getBean(JdbcClient.class).sql("select count(*) from sold").query(Integer.class).single())
				.isOne();
		});
	}

	@Test
	void lockBelongsToTheThreadThatDoesTheWork() {
		this.runner.run((context) -> {
			String thread = context.getBean(Shop.class).sellAsync().get(5, TimeUnit.SECONDS);
			assertThat(thread).startsWith("worker-").endsWith("[async]");
		});
	}

	@Test
	void eachRetryTakesTheLockAnew() {
		this.runner.run((context) -> assertThat(context.getBean(Shop.class).sellAtSecondTry()).doesNotHaveDuplicates()
			.hasSize(2));
	}

	@Test
	void eachSubscriptionPassesWhatIsBehindTheLock() {
		this.runner.run((context) -> {
			Shop shop = context.getBean(Shop.class);
			assertThat(shop.sellAtSecondSubscription().retry(1).block()).containsExactly("in transaction true",
					"in transaction true");
		});
	}

	private static List<String> chain(Object bean) {
		return Stream.of(((Advised) bean).getAdvisors())
			.map((advisor) -> advisor.getAdvice().getClass().getSimpleName())
			.filter((name) -> !name.startsWith("ExposeInvocation"))
			.toList();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
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
		@Retryable
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
		@Retryable(delay = 0)
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

		@Async
		@RedLock("async")
		public CompletableFuture<String> sellAsync() {
			return CompletableFuture
				.completedFuture(Thread.currentThread().getName() + CurrentLease.require().resources());
		}

		@RedLock("subscription")
		@Transactional
		public Mono<List<String>> sellAtSecondSubscription() {
			this.steps.add("in transaction " + TransactionSynchronizationManager.isActualTransactionActive());
			return (this.steps.size() == 1) ? Mono.error(new IllegalStateException("of the first subscription"))
					: Mono.just(this.steps);
		}

		@Retryable(delay = 0)
		@RedLock("retry")
		public List<Long> sellAtSecondTry() {
			this.fences.add(CurrentLease.require().fence());
			if (this.fences.size() == 1) {
				throw new IllegalStateException("of the first try");
			}
			return this.fences;
		}

	}

}

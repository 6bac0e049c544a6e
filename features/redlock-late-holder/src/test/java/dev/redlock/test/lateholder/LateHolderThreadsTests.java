package dev.redlock.test.lateholder;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import dev.redlock.spring.annotation.RedLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.EnableAsync;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A method that leaves its write to other threads is frozen at this write, too.
 */
@SpringBootTest(properties = "spring.datasource.url=jdbc:h2:mem:threads")
@AutoConfigureLateHolder
class LateHolderThreadsTests {

	@Autowired
	Accounts accounts;

	@Autowired
	JdbcTemplate jdbc;

	@Autowired
	LateHolder lateHolder;

	@ParameterizedTest
	@EnumSource
	void aWriteOnAnotherThreadLandsLate(Way way) throws Exception {
		ForkJoinPool.commonPool().submit(() -> {
		}).get();
		Schedulers.boundedElastic().schedule(() -> {
		});
		assertThat(tableOf(() -> way.call.apply(this.accounts))).containsPattern("1  update account .*LANDED LATE")
			.containsPattern(": [12] steps?\\.");
	}

	@Test
	void beansOfAllKindsOfExecutorsCanBeInjectedByTheirClass(@Autowired ThreadPoolExecutor pool,
			@Autowired ForkJoinPool forks, @Autowired @Qualifier("timers") ScheduledExecutorService timers)
			throws Exception {
		assertThat(pool.submit(() -> 1).get()).isOne();
		assertThat(forks.submit(() -> 2).get()).isEqualTo(2);
		assertThat(timers.schedule(() -> 3, 0, TimeUnit.SECONDS).get()).isEqualTo(3);
	}

	@Test
	void anExecutorWithFinalMethodsStillRunsItsTasks(@Autowired FinalMethods byClass,
			@Autowired @Qualifier("wrapping") Executor byInterface) {
		assertThat(CompletableFuture.supplyAsync(() -> 1, byClass).join()).isOne();
		assertThat(CompletableFuture.supplyAsync(() -> 2, byInterface).join()).isEqualTo(2);
	}

	private String tableOf(Callable<?> call) {
		try {
			this.lateHolder.given(() -> this.jdbc.update("update account set n = 0"))
				.call(call)
				.rival(() -> this.accounts.set(7))
				.verify(() -> assertThat(this.jdbc.queryForObject("select n from account", Integer.class))
					.isEqualTo(7));
		}
		catch (AssertionError ex) {
			return ex.getMessage();
		}
		throw new IllegalStateException("The invariant held in each run");
	}

	enum Way {

		COMMON_POOL(Accounts::onCommonPool), PARALLEL_STREAM(Accounts::inParallel), BATCH(Accounts::inBatch),
		BATCH_OF_STATEMENTS(Accounts::inBatchOfStatements), ELASTIC(Accounts::onElastic),
		ELASTIC_BLOCKED(Accounts::onElasticBlocked), PUBLISHED_ON_ELASTIC(Accounts::publishedOnElastic),
		POOL_BEAN(Accounts::onPoolBean), TIMER_BEAN(Accounts::onTimerBean),
		FUTURE_ON_POOL_BEAN(Accounts::futureOnPoolBean), FUTURE_OF_COMMON_POOL(Accounts::futureOfCommonPool);

		private final Function<Accounts, Object> call;

		Way(Function<Accounts, Object> call) {
			this.call = call;
		}

	}

	static class Accounts {

		private static final String SET = "update account set n = 1";

		private final JdbcTemplate jdbc;

		private final ExecutorService pool;

		private final ScheduledExecutorService timers;

		Accounts(JdbcTemplate jdbc, @Qualifier("pool") ExecutorService pool, ScheduledExecutorService timers) {
			this.jdbc = jdbc;
			this.pool = pool;
			this.timers = timers;
		}

		@RedLock("account")
		public int set(int n) {
			return this.jdbc.update("update account set n = ?", n);
		}

		@RedLock("account")
		public int onCommonPool() {
			return CompletableFuture.supplyAsync(() -> this.jdbc.update(SET), ForkJoinPool.commonPool()).join();
		}

		@RedLock("account")
		public int inParallel() {
			return List.of(1, 2).parallelStream().mapToInt((n) -> this.jdbc.update(SET)).sum();
		}

		@RedLock("account")
		public int[] inBatch() {
			return this.jdbc.batchUpdate("update account set n = ?", List.of(new Object[] { 2 }, new Object[] { 1 }));
		}

		@RedLock("account")
		public int[] inBatchOfStatements() {
			this.jdbc.update(SET);
			return this.jdbc.batchUpdate(SET, SET);
		}

		@RedLock("account")
		public Mono<Integer> onElastic() {
			return Mono.fromCallable(() -> this.jdbc.update(SET)).subscribeOn(Schedulers.boundedElastic());
		}

		@RedLock("account")
		public int onElasticBlocked() {
			return Mono.fromCallable(() -> this.jdbc.update(SET)).subscribeOn(Schedulers.boundedElastic()).block();
		}

		@RedLock("account")
		public Mono<Integer> publishedOnElastic() {
			return Mono.just(SET).publishOn(Schedulers.boundedElastic()).map(this.jdbc::update);
		}

		@RedLock("account")
		public int onPoolBean() {
			return CompletableFuture.supplyAsync(this::helper, this.pool::execute).join();
		}

		@RedLock("account")
		public int onTimerBean() {
			CompletableFuture<Integer> written = new CompletableFuture<>();
			this.timers.schedule(() -> written.complete(helper()), 0, TimeUnit.SECONDS);
			return written.join();
		}

		@RedLock("account")
		public CompletableFuture<Integer> futureOnPoolBean() {
			return CompletableFuture.supplyAsync(this::helper, this.pool);
		}

		@RedLock("account")
		public CompletableFuture<Integer> futureOfCommonPool() {
			return CompletableFuture.supplyAsync(() -> helper(), ForkJoinPool.commonPool());
		}

		private int helper() {
			return this.jdbc.update(SET);
		}

	}

	/**
	 * An executor like {@code DelegatingSecurityContextExecutor} of Spring Security.
	 */
	static class FinalMethods implements Executor {

		private final Executor delegate;

		FinalMethods(Executor delegate) {
			this.delegate = delegate;
		}

		@Override
		public final void execute(Runnable task) {
			this.delegate.execute(task);
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@EnableAsync
	static class Application {

		@Bean
		ExecutorService pool() {
			return Executors.newFixedThreadPool(2);
		}

		@Bean
		ThreadPoolExecutor poolClass() {
			return (ThreadPoolExecutor) Executors.newFixedThreadPool(2);
		}

		@Bean
		ForkJoinPool forks() {
			return new ForkJoinPool(2);
		}

		@Bean
		ScheduledExecutorService timers() {
			return Executors.newScheduledThreadPool(1);
		}

		@Bean
		ExecutorService finalExecutor() {
			return Executors.unconfigurableExecutorService(Executors.newCachedThreadPool());
		}

		@Bean
		FinalMethods finalMethods() {
			return new FinalMethods(Runnable::run);
		}

		@Bean
		Executor wrapping() {
			return new FinalMethods(Runnable::run);
		}

		@Bean
		Accounts accounts(JdbcTemplate jdbc, @Qualifier("pool") ExecutorService pool,
				@Qualifier("timers") ScheduledExecutorService timers, List<Executor> all) {
			assertThat(all).hasSizeGreaterThan(3);
			jdbc.execute("create table account (n int)");
			jdbc.update("insert into account values (0)");
			return new Accounts(jdbc, pool, timers);
		}

	}

}

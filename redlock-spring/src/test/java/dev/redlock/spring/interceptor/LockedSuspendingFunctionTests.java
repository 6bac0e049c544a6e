package dev.redlock.spring.interceptor;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.redlock.CurrentLease;
import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.RedlockSettings;
import dev.redlock.spring.internal.read.SpecReading;
import dev.redlock.spring.template.ReactiveRedLockTemplate;
import dev.redlock.spring.template.RedLockTemplate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class LockedSuspendingFunctionTests {

	private final LockWorld world = new LockWorld();

	private final CompletableFuture<String> gate = new CompletableFuture<>();

	@AfterEach
	void leavesNoLeaseOnTheThread() {
		assertThat(CurrentLease.get()).isEmpty();
	}

	@Test
	void functionSeesItsLeaseInItsContext() {
		LockedContexts.with(this.world, SuspendingStock.class,
				(stock) -> assertThat(Coroutines.resources(stock, "1")).isCompletedWithValue("[stock:1]1"));
	}

	@Test
	void blockingCodeOfAFunctionFindsExactlyTheLeasesAroundItOnEachThread() {
		LockedContexts.with(this.world, SuspendingStock.class, (stock) -> {
			CompletableFuture<List<String>> seen = Coroutines.seen(stock, List.of("1", "2"), this.gate);
			assertThat(CurrentLease.get()).isEmpty();
			CompletableFuture.runAsync(() -> this.gate.complete("")).join();
			String inner = "[stock:2], [stock:1]";
			assertThat(seen).succeedsWithin(Duration.ofSeconds(20))
				.isEqualTo(List.of("[stock:1]", inner, inner, inner, "[stock:1]", "[stock:1]"));
			assertThat(CurrentLease.get()).isEmpty();
		});
	}

	@Test
	void aFunctionInANewTransactionDoesNotReEnterTheLockAroundTheSuspendedOne() {
		LockedContexts.runner(this.world)
			.withUserConfiguration(Transactions.class)
			.withBean(SuspendingStock.class)
			.withBean(SuspendingTransactions.class)
			.run((context) -> {
				SuspendingStock stock = context.getBean(SuspendingStock.class);
				SuspendingTransactions transactions = context.getBean(SuspendingTransactions.class);
				assertThat(Coroutines.inOneTransaction(stock, "1", transactions)).isCompletedWithValue("[stock:1]1");
				assertThat(Coroutines.inTransactions(stock, "1", transactions).handle((value, failure) -> failure))
					.isCompletedWithValueMatching((failure) -> failure != null && failure.getMessage()
						.contains("A new transaction cannot run under the lock on [stock:1]"));
				assertThat(this.world.isHeld("stock:1")).isFalse();
			});
	}

	@Test
	void skipIsNullOrUnit() {
		LockedContexts.with(this.world, SuspendingStock.class, (stock) -> {
			assertThat(Coroutines.skip(stock, "1")).isCompletedWithValue("1");
			this.world.hold("stock:1");
			assertThat(Coroutines.skip(stock, "1")).isCompletedWithValue(null);
			assertThat(Coroutines.skipUnit(stock, "1")).isCompletedWithValue("skipped");
		});
	}

	@Test
	void suspendingFallbackAnswersInstead() {
		LockedContexts.with(this.world, SuspendingStock.class, (stock) -> {
			this.world.hold("stock:1");
			assertThat(Coroutines.fall(stock, "1")).isCompletedWithValue("later 1, 1 is HELD");
		});
	}

	@Test
	void flowOfASuspendingFunctionHoldsTheLockUntilItCompletes() {
		LockedContexts.with(this.world, SuspendingStock.class, (stock) -> {
			CompletableFuture<List<String>> collected = Coroutines.suspendedFlowOf(stock, "1", this.gate);
			assertThat(this.world.isHeld("stock:1")).isTrue();
			this.gate.complete("2");
			assertThat(collected).isCompletedWithValue(List.of("1", "2"));
			assertThat(this.world.isHeld("stock:1")).isFalse();
		});
	}

	@Test
	void aCancelledFunctionHoldsTheLockUntilItHasEnded() {
		LockedContexts.with(this.world, SuspendingStock.class, (stock) -> {
			CompletableFuture<String> cancelled = Coroutines.finish(stock, "1", this.gate);
			cancelled.cancel(true);
			assertThat(this.world.isHeld("stock:1")).isTrue();
			this.gate.complete("2");
			assertThat(this.world.isHeld("stock:1")).isFalse();
		});
	}

	@Test
	void aFunctionThatRunsWhenItsContextClosesKeepsTheLockUntilItHasEnded() {
		LockWorld world = new LockWorld(RedlockSettings.DEFAULTS);
		new ApplicationContextRunner().withUserConfiguration(RedLockConfiguration.class)
			.withBean(Redlock.class, () -> world.redlock)
			.withBean(RedLockTemplate.class, () -> new RedLockTemplate(world.redlock, Runnable::run))
			.withBean(ReactiveRedLockTemplate.class,
					() -> new ReactiveRedLockTemplate(world.redlock, Schedulers.immediate()))
			.withBean(SuspendingStock.class)
			.run((context) -> {
				CompletableFuture<String> sold = Coroutines.finish(context.getBean(SuspendingStock.class), "1",
						this.gate);
				CompletableFuture<Void> closing = CompletableFuture
					.runAsync(context.getSourceApplicationContext()::close, (close) -> new Thread(close).start());
				Awaitility.await().until(world.redlock::isClosed);
				assertThat(world.isHeld("stock:1")).isTrue();
				assertThat(closing).isNotDone();
				this.gate.complete("");
				assertThat(sold).isCompletedWithValue("1");
				assertThat(closing).succeedsWithin(Duration.ofSeconds(30));
				assertThat(world.isHeld("stock:1")).isFalse();
			});
	}

	@Test
	void aCancelledFlowHoldsTheLockUntilItHasEnded() {
		LockedContexts.with(this.world, SuspendingStock.class, (stock) -> {
			CompletableFuture<List<String>> cancelled = Coroutines.finishingFlow(stock, "1", this.gate);
			cancelled.cancel(true);
			assertThat(this.world.isHeld("stock:1")).isTrue();
			this.gate.complete("2");
			assertThat(this.world.isHeld("stock:1")).isFalse();
		});
	}

	@Test
	void skipOfAFunctionThatAdmitsNoNullIsRefused() {
		LockedContexts.runner(this.world)
			.withBean(SuspendingMistakes.class)
			.run((context) -> assertThat(context).getFailure().hasMessageContaining("has no empty value"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "future", "stage", "deferred", "flux", "mono", "stateFlow", "flowInOptional", "sequence",
			"lambda" })
	void aSuspendingFunctionWhoseWorkGoesOnAfterItHasReturnedIsRefused(String function) {
		assertThatExceptionOfType(InvalidRedLockException.class)
			.isThrownBy(() -> new SpecReading(Map.of()).spec(SuspendingReturnTypes.class, function).invoker())
			.withMessageContaining("after the method has returned")
			.satisfies((ex) -> assertThat(ex.action()).contains("inside of the suspending function"));
	}

	@ParameterizedTest
	@ValueSource(classes = { LoaderOfFutures.class, LoaderOfFlows.class })
	void aSuspendingFunctionIsRefusedForTheTypeThatItsClassGivesToItsResult(Class<?> loader) {
		LockedContexts.runner(this.world)
			.withBean(loader)
			.run((context) -> assertThat(context).getFailure().hasMessageContaining("after the method has returned"));
	}

	@Test
	void aSuspendingFunctionOfATypeParameterIsNotRefused() {
		LockedContexts.runner(this.world)
			.withBean(LoaderOfValues.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class Transactions {

		@Bean
		ReactiveTransactionManager transactionManager() {
			return new NestingTransactionManager();
		}

	}

}

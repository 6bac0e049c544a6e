package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.internal.Internals;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spi.Claim;
import org.junit.jupiter.api.Test;

import static dev.redlock.Completed.completed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The first try gets as much time as it gets without a time to wait, and the last word on
 * a wait that no other thread can end is given at once.
 */
class ShortWaitTests {

	private static final LockRequest TINY = LockRequest.of("stock").withWaitFor(Duration.ofNanos(100_000));

	private final RedlockFixture fixture = new RedlockFixture(5);

	@Test
	void aTinyWaitGetsAFreeLockAlsoWhenItsNodesTakeLonger() {
		this.fixture.nodes.forEach(InMemoryNode::freeze);
		CompletableFuture<LockAttempt> attempt = this.fixture.attempt(TINY);
		this.fixture.time.advance(Duration.ofMillis(10));
		assertThat(attempt).isNotDone();
		this.fixture.nodes.forEach(InMemoryNode::up);
		assertThat(completed(attempt).lease()).isPresent();
	}

	@Test
	void aTinyWaitForSilentNodesEndsAtTheNodeTimeoutLikeNoWait() {
		this.fixture.nodes.forEach(InMemoryNode::freeze);
		CompletableFuture<LockAttempt> tiny = this.fixture.attempt(TINY);
		this.fixture.time.advance(Duration.ofMillis(499));
		assertThat(tiny).isNotDone();
		this.fixture.time.advance(Duration.ofMillis(1));
		assertThat(completed(tiny).reason()).contains(Reason.NO_QUORUM);
		assertThat(completed(tiny).tries()).isEqualTo(1);
	}

	@Test
	void aSecondTryIsCutShortAtTheEndOfTheWait() {
		Redlock other = this.fixture.another(RedlockFixture.settings(), 2);
		completed(other.attempt(LockRequest.of("stock")));
		CompletableFuture<LockAttempt> attempt = this.fixture
			.attempt(LockRequest.of("stock").withWaitFor(Duration.ofMillis(400)));
		this.fixture.nodes.forEach(InMemoryNode::freeze);
		this.fixture.time.advance(Duration.ofMillis(400));
		assertThat(attempt).isDone();
		assertThat(completed(attempt).reason()).contains(Reason.HELD);
	}

	@Test
	void aRetryDelayUnderAMillisecondIsRefusedAndNamed() {
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of("a").withRetryDelay(Duration.ofNanos(1)))
			.withMessageContaining("retryDelay")
			.withMessageContaining("1 ms")
			.withMessageContaining("PT0.000000001S");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> RedlockSettings.builder().retryDelay(Duration.ofNanos(999_999)).build())
			.withMessageContaining("retry.delay")
			.withMessageContaining("1 ms");
		assertThat(LockRequest.of("a").withRetryDelay(Duration.ofMillis(1)).retryDelay())
			.isEqualTo(Duration.ofMillis(1));
	}

	@Test
	void aThreadDoesNotWaitForTheLeaseThatItHoldsItself() {
		Lease own = this.fixture.redlock.attemptAndWait(LockRequest.of("stock")).orThrow();
		assertHeldByThisThread(this.fixture.redlock.attemptInScope(LockRequest.of("stock", "till")));
		own.close();
		assertThat(this.fixture.redlock.attemptInScope(LockRequest.of("stock", "till")).lease()).isPresent();
	}

	@Test
	void aThreadDoesNotWaitForTheLeaseThatItTookPastAWaiter() {
		LockRequest stock = LockRequest.of("stock").withWaitFor(Duration.ofSeconds(2));
		Lease elsewhere = completed(
				this.fixture.another(RedlockFixture.settings(), 2).attempt(stock.withWaitFor(Duration.ZERO)))
			.orThrow();
		CompletableFuture<LockAttempt> waiter = this.fixture.attempt(stock);
		// Nobody hears of this release.
		this.fixture.nodes.forEach((node) -> node.release(claim(elsewhere), Duration.ZERO, false));
		Lease own = this.fixture.redlock.attemptAndWait(stock.withWaitFor(Duration.ZERO)).orThrow();
		assertThat(waiter).isNotDone();
		assertHeldByThisThread(this.fixture.redlock.attemptAndWait(stock));
		assertThat(this.fixture.redlock.attemptAndWait(stock.withWaitFor(Duration.ZERO)).tries()).isZero();
		waiter.cancel(false);
		assertHeldByThisThread(this.fixture.redlock.attemptAndWait(stock));
		own.close();
		assertThat(this.fixture.redlock.attemptAndWait(stock).lease()).isPresent();
	}

	@Test
	void aLeaseThatWasTakenPastAWaiterGoesToTheWaiterNext() {
		LockRequest stock = LockRequest.of("stock").withWaitFor(Duration.ofSeconds(2));
		Lease elsewhere = completed(
				this.fixture.another(RedlockFixture.settings(), 2).attempt(stock.withWaitFor(Duration.ZERO)))
			.orThrow();
		CompletableFuture<LockAttempt> waiter = this.fixture.attempt(stock);
		this.fixture.nodes.forEach((node) -> node.release(claim(elsewhere), Duration.ZERO, false));
		Lease own = this.fixture.redlock.attemptAndWait(stock.withWaitFor(Duration.ZERO)).orThrow();
		own.close();
		this.fixture.time.advance(Duration.ofMillis(50));
		assertThat(waiter).isCompleted();
		completed(waiter).orThrow().close();
		this.fixture.time.advance(Duration.ofSeconds(1));
		assertThat(Internals.queues(this.fixture.redlock.engine())).isZero();
	}

	@Test
	void anotherThreadWaitsForThatLease() {
		Lease own = this.fixture.redlock.attemptAndWait(LockRequest.of("stock")).orThrow();
		CompletableFuture<LockAttempt> elsewhere = this.fixture.attempt(LockRequest.of("stock"));
		assertThat(elsewhere).isNotDone();
		own.close();
		assertThat(completed(elsewhere).lease()).isPresent();
	}

	private static void assertHeldByThisThread(LockAttempt again) {
		assertThat(again.reason()).contains(Reason.HELD);
		assertThat(again.tries()).isZero();
		assertThat(again.failure().orElseThrow()).hasMessageContaining("this thread")
			.hasMessageContaining("acquire()")
			.hasMessageContaining("close that lease first")
			.hasMessageNotContaining("somebody else");
	}

	private static Claim claim(Lease lease) {
		return new Claim(List.of("redlock:stock"), Internals.token(lease), Duration.ofSeconds(10));
	}

}

package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.internal.client.Internals;
import dev.redlock.spi.Claim;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.redlock.Completed.completed;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A thread that asks for a lock that it holds itself gets the last word at once.
 */
class HeldByOwnThreadTests {

	@RegisterExtension
	final LockWorld world = new LockWorld(5);

	@Test
	void aThreadDoesNotWaitForTheLeaseThatItHoldsItself() {
		Lease own = this.world.redlock.attemptAndWait(LockRequest.of("stock")).orThrow();
		assertHeldByThisThread(this.world.redlock.attemptInScope(LockRequest.of("stock", "till")));
		own.close();
		assertThat(this.world.redlock.attemptInScope(LockRequest.of("stock", "till")).lease()).isPresent();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aThreadDoesNotWaitForTheLeaseThatItTookPastAWaiterWhichIsNext(boolean givesUp) {
		LockRequest stock = LockRequest.of("stock").withWaitFor(Duration.ofSeconds(2));
		Lease elsewhere = this.world.acquire(this.world.other, stock);
		CompletableFuture<LockAttempt> waiter = this.world.attempt(stock);
		// Nobody hears of this release.
		this.world.nodes.forEach((node) -> node.release(claim(elsewhere), Duration.ZERO, false));
		Lease own = this.world.redlock.attemptAndWait(stock.withWaitFor(Duration.ZERO)).orThrow();
		assertThat(waiter).isNotDone();
		assertHeldByThisThread(this.world.redlock.attemptAndWait(stock));
		assertThat(this.world.redlock.attemptAndWait(stock.withWaitFor(Duration.ZERO)).tries()).isZero();
		if (givesUp) {
			waiter.cancel(false);
			assertHeldByThisThread(this.world.redlock.attemptAndWait(stock));
			own.close();
			assertThat(this.world.redlock.attemptAndWait(stock).lease()).isPresent();
		}
		else {
			own.close();
			this.world.time.advance(Duration.ofMillis(50));
			assertThat(completed(waiter).lease()).isPresent();
		}
	}

	@Test
	void anotherThreadWaitsForThatLease() {
		Lease own = this.world.redlock.attemptAndWait(LockRequest.of("stock")).orThrow();
		CompletableFuture<LockAttempt> elsewhere = this.world.attempt(LockRequest.of("stock"));
		assertThat(elsewhere).isNotDone();
		own.close();
		assertThat(completed(elsewhere).lease()).isPresent();
	}

	@Test
	void aThreadThatHoldsOneOfTheNamesDoesNotWaitAlsoIfAnotherThreadHoldsAnother() {
		Lease elsewhere = completed(this.world.attempt(LockRequest.of("stock"))).orThrow();
		Lease own = this.world.redlock.attemptAndWait(LockRequest.of("till")).orThrow();
		assertHeldByThisThread(
				this.world.redlock.attemptAndWait(LockRequest.of("stock", "till").withWaitFor(Duration.ofSeconds(1))));
		elsewhere.close();
		own.close();
	}

	private static void assertHeldByThisThread(LockAttempt again) {
		assertThat(again.reason()).contains(Reason.HELD);
		assertThat(again.tries()).isZero();
		assertThat(again.failure().orElseThrow()).hasMessageContaining("this thread")
			.hasMessageContaining("acquire()")
			.hasMessageContaining("close the lease that the thread has")
			.hasMessageNotContaining("somebody else");
	}

	private static Claim claim(Lease lease) {
		return new Claim(List.of("redlock:stock"), Internals.token(lease), Duration.ofSeconds(10));
	}

}

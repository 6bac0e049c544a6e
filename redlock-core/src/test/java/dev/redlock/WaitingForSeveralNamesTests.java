package dev.redlock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.redlock.LockNotAcquiredException.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static dev.redlock.Completed.completed;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a request for several names learned says nothing about one of them.
 */
class WaitingForSeveralNamesTests {

	private static final LockRequest A = LockRequest.of("a").withWaitFor(Duration.ofSeconds(30));

	private static final LockRequest B = LockRequest.of("b").withTtl(Duration.ofSeconds(60));

	private static final LockRequest A_AND_B = LockRequest.of("a", "b").withWaitFor(Duration.ofSeconds(1));

	@RegisterExtension
	final LockWorld world = new LockWorld(5);

	@Test
	void aRequestThatGivesUpDoesNotHandItsPauseToAWaiterForOneOfItsNames() {
		this.world.acquire(this.world.other, B);
		this.world.attempt(this.world.redlock, A_AND_B);
		CompletableFuture<LockAttempt> waiter = this.world.attempt(this.world.redlock, A);
		this.world.time.advance(Duration.ofMillis(1_100));
		assertThat(waiter).as("a was free all the time").isCompleted();
		assertThat(completed(waiter).lease()).isPresent();
	}

	@Test
	void aWaiterForOneOfItsNamesIsNotToldOfTheHolderOfAnother() {
		this.world.acquire(this.world.other, B);
		this.world.attempt(this.world.redlock, A_AND_B.withWaitFor(Duration.ofSeconds(20)));
		CompletableFuture<LockAttempt> waiter = this.world.attempt(this.world.redlock,
				A.withWaitFor(Duration.ofMillis(500)));
		this.world.time.advance(Duration.ofMillis(500));
		assertThat(completed(waiter).reason()).contains(Reason.TIMED_OUT);
		assertThat(completed(waiter).failure().orElseThrow().holder()).isEmpty();
	}

	@Test
	void aRequestThatGivesUpHandsItsPauseToAWaiterForTheSameNames() {
		this.world.acquire(this.world.other, B);
		this.world.attempt(this.world.redlock, A_AND_B);
		CompletableFuture<LockAttempt> waiter = this.world.attempt(this.world.redlock,
				A_AND_B.withWaitFor(Duration.ofSeconds(10)));
		this.world.time.advance(Duration.ofMillis(900));
		int before = this.world.acquires();
		this.world.time.advance(Duration.ofSeconds(5));
		// The last try of the request that gives up.
		assertThat(this.world.acquires() - before).isLessThanOrEqualTo(1);
		assertThat(waiter).isNotDone();
	}

	@Test
	void aRequestForOneNameHandsItsPauseToAWaiterForMoreNames() {
		this.world.acquire(this.world.other, A.withTtl(Duration.ofSeconds(60)));
		this.world.attempt(this.world.redlock, A.withWaitFor(Duration.ofSeconds(1)));
		CompletableFuture<LockAttempt> waiter = this.world.attempt(this.world.redlock,
				A_AND_B.withWaitFor(Duration.ofSeconds(10)));
		this.world.time.advance(Duration.ofMillis(900));
		int before = this.world.acquires();
		this.world.time.advance(Duration.ofSeconds(5));
		assertThat(this.world.acquires() - before).isLessThanOrEqualTo(1);
		assertThat(waiter).isNotDone();
	}

}

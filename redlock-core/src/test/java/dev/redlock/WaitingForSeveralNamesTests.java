package dev.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

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
		this.world.acquire(this.world.other, A);
		CompletableFuture<LockAttempt> waiter = this.world.attempt(this.world.redlock,
				A.withWaitFor(Duration.ofMillis(500)));
		this.world.time.advance(Duration.ofMillis(500));
		assertThat(completed(waiter).votes()).extracting(NodeVote::node).containsExactly("a", "b", "c", "d", "e");
		assertThat(completed(waiter).tries()).isPositive();
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

	@Test
	void manyRequestsForDifferentPairsOfNamesAreAllServed() {
		LockWorld distant = LockWorld.distant(1, 5);
		Redlock process = distant.distantProcess();
		List<CompletableFuture<Void>> served = new ArrayList<>();
		for (int i = 0; i < 40; i++) {
			served.add(distant.attempt(process, LockRequest.of("hot", "other" + i).withWaitFor(Duration.ofSeconds(30)))
				.thenAccept((attempt) -> attempt.orThrow().close()));
		}
		distant.time.advance(Duration.ofSeconds(10));
		assertThat(served).allSatisfy((each) -> assertThat(each).isCompleted());
		distant.time.advance(Duration.ofSeconds(2));
		assertThat(LockWorld.queues(process)).isZero();
	}

}

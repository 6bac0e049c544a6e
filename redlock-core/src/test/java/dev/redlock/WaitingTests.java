package dev.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.internal.Internals;
import dev.redlock.memory.InMemoryNode;
import org.junit.jupiter.api.Test;

import static dev.redlock.Completed.completed;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Those who wait for what their own process holds or asks for.
 */
class WaitingTests extends TwoProcesses {

	@Test
	void onlyTheFirstOfAProcessAsksTheNodes() {
		Lease held = acquire(this.there);
		for (int i = 0; i < 100; i++) {
			attempt(this.here);
		}
		this.time.advance(Duration.ofMillis(100));
		assertThat(acquires()).isLessThanOrEqualTo(3);
		held.close();
	}

	@Test
	void theRequestsOfAProcessAreServedInTheOrderInWhichTheyCame() {
		Lease held = acquire(this.here);
		List<Integer> served = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			int number = i;
			attempt(this.here).thenAccept((attempt) -> {
				served.add(number);
				attempt.orThrow().close();
			});
		}
		held.close();
		assertThat(served).containsExactlyElementsOf(IntStream.range(0, 20).boxed().toList());
		assertThat(Internals.queues(this.here.engine())).isZero();
	}

	@Test
	void aLockGoesFromOneToTheNextInAProcessWithOneRoundAndNoAnnouncement() {
		Lease held = acquire(this.here);
		CompletableFuture<LockAttempt> next = attempt(this.here);
		held.close();
		assertThat(completed(next).orThrow().fence()).isGreaterThan(held.fence());
		assertThat(Internals.token(completed(next).orThrow())).isNotEqualTo(Internals.token(held));
		assertThat(acquires()).isEqualTo(2);
		assertThat(this.nodes.get(0).announced).hasValue(0);
		completed(next).orThrow().close();
		assertThat(this.nodes.get(0).announced).hasValue(1);
	}

	@Test
	void whoRunsOutOfTimeLeavesTheLineAtOnce() {
		Lease held = acquire(this.here);
		CompletableFuture<LockAttempt> first = attempt(this.here, STOCK.withWaitFor(Duration.ofSeconds(1)));
		CompletableFuture<LockAttempt> second = attempt(this.here);
		this.time.advance(Duration.ofSeconds(1));
		assertThat(completed(first).reason()).contains(Reason.HELD);
		assertThat(completed(first).tries()).isZero();
		assertThat(completed(first).votes()).singleElement()
			.satisfies((vote) -> assertThat(vote.node()).contains("this"));
		held.close();
		assertThat(completed(second).lease()).isPresent();
	}

	@Test
	void whoIsCancelledLeavesTheLineAtOnce() {
		Lease held = acquire(this.here);
		CompletableFuture<LockAttempt> first = attempt(this.here);
		CompletableFuture<LockAttempt> second = attempt(this.here);
		first.cancel(false);
		held.close();
		completed(second).orThrow().close();
		assertThat(Internals.queues(this.here.engine())).isZero();
		assertThat(acquires()).isEqualTo(2);
		assertThat(this.time.pending()).isZero();
	}

	@Test
	void whoWaitsInTheLineKnowsWhatTheNodesToldTheFirst() {
		this.servers.subList(0, 3).forEach(InMemoryNode::down);
		attempt(this.here);
		CompletableFuture<LockAttempt> second = attempt(this.here, STOCK.withWaitFor(Duration.ofMillis(500)));
		this.time.advance(Duration.ofMillis(500));
		assertThat(completed(second).reason()).contains(Reason.NO_QUORUM);
		assertThat(completed(second).votes()).hasSize(5);
	}

	@Test
	void whoFollowsOneThatGaveUpDoesNotAskWhatIsKnown() {
		acquire(this.there);
		for (int i = 1; i <= 50; i++) {
			attempt(this.here, STOCK.withWaitFor(Duration.ofMillis(100L * i)));
		}
		this.time.advance(Duration.ofMillis(50));
		int before = acquires();
		this.time.advance(Duration.ofSeconds(6));
		// One last try for each, and what little one of them learns for the next.
		assertThat(acquires() - before).isLessThanOrEqualTo(52);
	}

	@Test
	void aSingleTryDoesNotAskForWhatThisProcessHolds() {
		acquire(this.here);
		LockAttempt attempt = completed(attempt(this.here, STOCK.withWaitFor(Duration.ZERO)));
		assertThat(attempt.reason()).contains(Reason.HELD);
		assertThat(acquires()).isEqualTo(1);
		assertThat(completed(attempt(this.here, STOCK.withRetryCount(0))).reason()).contains(Reason.HELD);
	}

	@Test
	void severalKeysAreWaitedForInTheirOrderWithoutDeadlock() {
		Lease a = acquire(this.here, LockRequest.of("a"));
		Lease b = acquire(this.here, LockRequest.of("b"));
		CompletableFuture<LockAttempt> ab = attempt(this.here, LockRequest.of("a", "b"));
		CompletableFuture<LockAttempt> ba = attempt(this.here, LockRequest.of("b", "a"));
		CompletableFuture<LockAttempt> onlyB = attempt(this.here, LockRequest.of("b"));
		b.close();
		completed(onlyB).orThrow().close();
		a.close();
		completed(ab).orThrow().close();
		completed(ba).orThrow().close();
		assertThat(Internals.queues(this.here.engine())).isZero();
	}

	@Test
	void shuttingDownEndsAllWhoWaitWithoutAskingTheNodes() {
		acquire(this.here);
		List<CompletableFuture<LockAttempt>> waiters = new ArrayList<>();
		for (int i = 0; i < 10_000; i++) {
			waiters.add(attempt(this.here));
		}
		this.here.close();
		assertThat(waiters)
			.allSatisfy((waiter) -> assertThat(completed(waiter).reason()).contains(Reason.SHUTTING_DOWN));
		assertThat(acquires()).isEqualTo(1);
		assertThat(this.time.pending()).isZero();
		assertThat(completed(attempt(this.here)).reason()).contains(Reason.SHUTTING_DOWN);
		assertThat(Internals.queues(this.here.engine())).isZero();
	}

	@Test
	void aLeaseThatWasLostMakesPlaceForTheNext() {
		acquire(this.here);
		CompletableFuture<LockAttempt> next = attempt(this.here);
		this.time.advance(Duration.ofMillis(9_890));
		assertThat(next).isNotDone();
		this.time.advance(Duration.ofMillis(150));
		assertThat(completed(next).lease()).isPresent();
	}

}

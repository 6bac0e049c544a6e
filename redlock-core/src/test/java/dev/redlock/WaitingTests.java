package dev.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockWorld.Answers;
import dev.redlock.internal.client.Internals;
import dev.redlock.memory.InMemoryNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Those who wait for what their own process holds or asks for.
 */
@ParameterizedClass
@EnumSource
class WaitingTests {

	private static final LockRequest STOCK = LockRequest.of("stock").withWaitFor(Duration.ofSeconds(30));

	@RegisterExtension
	final LockWorld world;

	WaitingTests(Answers answers) {
		this.world = new LockWorld(5, answers);
	}

	@Test
	void onlyTheFirstOfAProcessAsksTheNodes() {
		Lease held = this.world.acquire(this.world.other, STOCK);
		for (int i = 0; i < 100; i++) {
			this.world.attempt(this.world.redlock, STOCK);
		}
		this.world.time.advance(Duration.ofMillis(100));
		assertThat(this.world.acquires()).isLessThanOrEqualTo(3);
		held.close();
	}

	@Test
	void theRequestsOfAProcessAreServedInTheOrderInWhichTheyCame() {
		Lease held = this.world.acquire(this.world.redlock, STOCK);
		List<Integer> served = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			int number = i;
			this.world.attempt(this.world.redlock, STOCK).thenAccept((attempt) -> {
				served.add(number);
				attempt.orThrow().close();
			});
		}
		held.close();
		this.world.time.advance(this.world.roundTrip().multipliedBy(21));
		assertThat(served).containsExactlyElementsOf(IntStream.range(0, 20).boxed().toList());
		assertThat(Internals.queues(this.world.redlock.engine())).isZero();
	}

	@Test
	void aLockGoesFromOneToTheNextInAProcessWithOneRoundAndNoAnnouncement() {
		Lease held = this.world.acquire(this.world.redlock, STOCK);
		CompletableFuture<LockAttempt> next = this.world.attempt(this.world.redlock, STOCK);
		held.close();
		assertThat(this.world.answered(next).orThrow().fence()).isGreaterThan(held.fence());
		assertThat(Internals.token(this.world.answered(next).orThrow())).isNotEqualTo(Internals.token(held));
		assertThat(this.world.acquires()).isEqualTo(2);
		assertThat(this.world.counted.get(0).announced).hasValue(0);
		this.world.answered(next).orThrow().close();
		this.world.answers();
		assertThat(this.world.counted.get(0).announced).hasValue(1);
	}

	@Test
	void whoRunsOutOfTimeLeavesTheLineAtOnce() {
		Lease held = this.world.acquire(this.world.redlock, STOCK);
		CompletableFuture<LockAttempt> first = this.world.attempt(this.world.redlock,
				STOCK.withWaitFor(Duration.ofSeconds(1)));
		CompletableFuture<LockAttempt> second = this.world.attempt(this.world.redlock, STOCK);
		this.world.time.advance(Duration.ofSeconds(1));
		assertThat(this.world.answered(first).reason()).contains(Reason.HELD);
		assertThat(this.world.answered(first).tries()).isZero();
		assertThat(this.world.answered(first).votes()).singleElement()
			.satisfies((vote) -> assertThat(vote.node()).contains("this"));
		held.close();
		assertThat(this.world.answered(second).lease()).isPresent();
	}

	@Test
	void whoIsCancelledLeavesTheLineAtOnce() {
		Lease held = this.world.acquire(this.world.redlock, STOCK);
		CompletableFuture<LockAttempt> first = this.world.attempt(this.world.redlock, STOCK);
		CompletableFuture<LockAttempt> second = this.world.attempt(this.world.redlock, STOCK);
		first.cancel(false);
		held.close();
		this.world.answered(second).orThrow().close();
		this.world.answers();
		assertThat(Internals.queues(this.world.redlock.engine())).isZero();
		assertThat(this.world.acquires()).isEqualTo(2);
		assertThat(this.world.time.pending()).isZero();
	}

	@Test
	void whoWaitsInTheLineKnowsWhatTheNodesToldTheFirst() {
		this.world.nodes.subList(0, 3).forEach(InMemoryNode::down);
		this.world.attempt(this.world.redlock, STOCK);
		CompletableFuture<LockAttempt> second = this.world.attempt(this.world.redlock,
				STOCK.withWaitFor(Duration.ofMillis(500)));
		this.world.time.advance(Duration.ofMillis(500));
		assertThat(this.world.answered(second).reason()).contains(Reason.NO_QUORUM);
		assertThat(this.world.answered(second).votes()).hasSize(5);
	}

	@Test
	void whoFollowsOneThatGaveUpDoesNotAskWhatIsKnown() {
		this.world.acquire(this.world.other, STOCK);
		for (int i = 1; i <= 50; i++) {
			this.world.attempt(this.world.redlock, STOCK.withWaitFor(Duration.ofMillis(100L * i)));
		}
		this.world.time.advance(Duration.ofMillis(50));
		int before = this.world.acquires();
		this.world.time.advance(Duration.ofSeconds(6));
		// One last try for each, and what little one of them learns for the next.
		assertThat(this.world.acquires() - before).isLessThanOrEqualTo(52);
	}

	@Test
	void aSingleTryDoesNotAskForWhatThisProcessHolds() {
		this.world.acquire(this.world.redlock, STOCK);
		LockAttempt attempt = this.world
			.answered(this.world.attempt(this.world.redlock, STOCK.withWaitFor(Duration.ZERO)));
		assertThat(attempt.reason()).contains(Reason.HELD);
		assertThat(this.world.acquires()).isEqualTo(1);
		assertThat(this.world.answered(this.world.attempt(this.world.redlock, STOCK.withRetryCount(0))).reason())
			.contains(Reason.HELD);
	}

	@Test
	void severalKeysAreWaitedForWithoutDeadlock() {
		Lease a = this.world.acquire(this.world.redlock, LockRequest.of("a"));
		Lease b = this.world.acquire(this.world.redlock, LockRequest.of("b"));
		CompletableFuture<LockAttempt> ab = this.world.attempt(this.world.redlock, LockRequest.of("a", "b"));
		CompletableFuture<LockAttempt> ba = this.world.attempt(this.world.redlock, LockRequest.of("b", "a"));
		CompletableFuture<LockAttempt> onlyB = this.world.attempt(this.world.redlock, LockRequest.of("b"));
		b.close();
		this.world.time.advance(Duration.ofMillis(10));
		this.world.answered(onlyB).orThrow().close();
		a.close();
		this.world.answered(ab).orThrow().close();
		this.world.time.advance(Duration.ofMillis(10));
		this.world.answered(ba).orThrow().close();
		this.world.time.advance(Duration.ofSeconds(2));
		assertThat(Internals.queues(this.world.redlock.engine())).isZero();
	}

	@Test
	void shuttingDownEndsAllWhoWaitWithoutAskingTheNodes() {
		this.world.acquire(this.world.redlock, STOCK);
		List<CompletableFuture<LockAttempt>> waiters = new ArrayList<>();
		for (int i = 0; i < 2_000; i++) {
			waiters.add(this.world.attempt(this.world.redlock, STOCK));
		}
		this.world.answered(this.world.redlock.closeAsync());
		assertThat(waiters)
			.allSatisfy((waiter) -> assertThat(this.world.answered(waiter).reason()).contains(Reason.SHUTTING_DOWN));
		assertThat(this.world.acquires()).isEqualTo(1);
		assertThat(this.world.time.pending()).isZero();
		assertThat(this.world.answered(this.world.attempt(this.world.redlock, STOCK)).reason())
			.contains(Reason.SHUTTING_DOWN);
		assertThat(Internals.queues(this.world.redlock.engine())).isZero();
	}

	@Test
	void aLeaseThatWasLostMakesPlaceForTheNext() {
		this.world.acquire(this.world.redlock, STOCK);
		CompletableFuture<LockAttempt> next = this.world.attempt(this.world.redlock, STOCK);
		this.world.time.advance(Duration.ofMillis(9_890));
		assertThat(next).isNotDone();
		this.world.time.advance(Duration.ofMillis(150));
		assertThat(this.world.answered(next).lease()).isPresent();
	}

}

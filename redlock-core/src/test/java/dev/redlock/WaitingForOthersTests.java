package dev.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.redlock.LockWorld.Answers;
import dev.redlock.internal.client.Internals;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spi.Claim;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.redlock.Completed.completed;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Those who wait for what another process holds.
 */
@ParameterizedClass
@EnumSource
class WaitingForOthersTests {

	private static final LockRequest STOCK = LockRequest.of("stock").withWaitFor(Duration.ofSeconds(30));

	@RegisterExtension
	final LockWorld world;

	WaitingForOthersTests(Answers answers) {
		this.world = new LockWorld(5, answers);
	}

	@Test
	void aWaiterThatManyOthersHaveJustLeftAsksSoon() {
		Lease held = this.world.acquire(this.world.redlock, STOCK);
		for (int i = 0; i < 100; i++) {
			this.world.attempt(this.world.another(LockWorld.settings(), 10 + i),
					STOCK.withWaitFor(Duration.ofSeconds(3)));
		}
		CompletableFuture<LockAttempt> waiter = this.world.attempt(this.world.other, STOCK);
		this.world.time.advance(Duration.ofMillis(3_100));
		held.close();
		this.world.time.advance(Duration.ofSeconds(2));
		assertThat(waiter).isCompleted();
		assertThat(completed(waiter).lease()).isPresent();
	}

	@Test
	void aWaiterInAnotherProcessIsWokenByTheRelease() {
		Lease held = this.world.acquire(this.world.redlock, STOCK);
		CompletableFuture<LockAttempt> waiter = this.world.attempt(this.world.other, STOCK);
		this.world.time.advance(Duration.ofSeconds(1));
		int before = this.world.acquires();
		held.close();
		this.world.time.advance(Duration.ofMillis(5));
		assertThat(this.world.answered(waiter).lease()).isPresent();
		assertThat(this.world.acquires() - before).isEqualTo(1);
	}

	@Test
	void aReleaseOfWhichANodeSpeaksLateIsWorthATryAndNoMore() {
		Lease held = this.world.acquire(this.world.redlock, STOCK);
		this.world.nodes.get(4).freeze();
		held.close();
		Lease second = this.world.acquire(this.world.other, STOCK);
		CompletableFuture<LockAttempt> third = this.world.attempt(this.world.redlock, STOCK);
		this.world.time.advance(Duration.ofSeconds(1));
		int before = this.world.acquires();
		this.world.nodes.get(4).up();
		this.world.time.advance(Duration.ofSeconds(1));
		assertThat(third).isNotDone();
		assertThat(this.world.acquires() - before).isLessThanOrEqualTo(2);
		second.close();
		this.world.time.advance(Duration.ofMillis(5));
		assertThat(this.world.answered(third).lease()).isPresent();
	}

	@Test
	void aMinorityThatAnnouncesWakesAWaiterAMomentLater() {
		Lease held = this.world.acquire(this.world.redlock, STOCK);
		CompletableFuture<LockAttempt> waiter = this.world.attempt(this.world.other, STOCK);
		this.world.time.advance(Duration.ofSeconds(1));
		this.world.counted.subList(0, 4).forEach((node) -> node.silent = true);
		held.close();
		assertThat(waiter).isNotDone();
		this.world.time.advance(Duration.ofMillis(10));
		assertThat(this.world.answered(waiter).lease()).isPresent();
	}

	@Test
	void aHolderOfABareMajorityIsNotAskedForEver() {
		this.world.nodes.subList(3, 5).forEach(InMemoryNode::down);
		this.world.acquire(this.world.other, STOCK.withTtl(Duration.ofSeconds(60)));
		this.world.nodes.subList(3, 5).forEach(InMemoryNode::up);
		CompletableFuture<LockAttempt> waiter = this.world.attempt(this.world.redlock,
				STOCK.withWaitFor(Duration.ofSeconds(55)));
		this.world.time.advance(Duration.ofSeconds(1));
		int before = this.world.acquires();
		this.world.time.advance(Duration.ofSeconds(40));
		assertThat(waiter).isNotDone();
		assertThat(this.world.acquires() - before).isLessThanOrEqualTo(16);
	}

	@Test
	void aCrashedHolderIsFollowedWhenItsClaimEnds() {
		this.world.acquire(this.world.redlock, STOCK);
		CompletableFuture<LockAttempt> waiter = this.world.attempt(this.world.other, STOCK);
		this.world.time.advance(Duration.ofMillis(9_990));
		int before = this.world.acquires();
		assertThat(waiter).isNotDone();
		this.world.time.advance(Duration.ofMillis(30));
		assertThat(this.world.answered(waiter).lease()).isPresent();
		assertThat(this.world.acquires() - before).isLessThanOrEqualTo(3);
	}

	@Test
	void aRetryDelayOfAThousandYearsKeepsNoWaiterFromARelease() {
		Lease held = this.world.acquire(this.world.other, STOCK);
		this.world.counted.forEach((node) -> node.listening = false);
		CompletableFuture<LockAttempt> waiter = this.world.attempt(STOCK.withRetryDelay(Duration.ofDays(365_000)));
		this.world.counted.forEach(CountingNode::listenAgain);
		held.close();
		this.world.time.advance(Duration.ofSeconds(2));
		assertThat(completed(waiter).lease()).isPresent();
	}

	@Test
	void aHolderThatDoesNotAnnounceIsAskedAfterAtTheRetryDelay() {
		Claim foreign = new Claim(List.of("redlock:stock"), "foreign", Duration.ofSeconds(20));
		this.world.nodes.forEach((node) -> node.acquire(foreign, Claim.UNFENCED));
		CompletableFuture<LockAttempt> waiter = this.world.attempt(this.world.redlock, STOCK);
		this.world.time.advance(Duration.ofSeconds(2));
		assertThat(this.world.acquires()).isBetween(10, 22);
		this.world.nodes.forEach((node) -> node.release(foreign, Duration.ZERO, false));
		this.world.time.advance(Duration.ofMillis(200));
		assertThat(this.world.answered(waiter).lease()).isPresent();
	}

	@Test
	void anIdleWaiterAsksAboutOnceInFourSeconds() {
		this.world.acquire(this.world.other, STOCK.withRenew(true).withTtl(Duration.ofSeconds(30)));
		CompletableFuture<LockAttempt> waiter = this.world.attempt(this.world.redlock,
				STOCK.withWaitFor(Duration.ofMinutes(10)));
		this.world.time.advance(Duration.ofSeconds(1));
		int before = this.world.acquires();
		this.world.time.advance(Duration.ofSeconds(300));
		assertThat(waiter).isNotDone();
		assertThat(this.world.acquires() - before).isBetween(60, 120);
	}

	@Test
	void aProcessServesThoseWhoWaitedAndHalfAsManyAgainThenLetsOthersHaveTheirChance() {
		List<String> order = new ArrayList<>();
		Lease held = this.world.acquire(this.world.other, STOCK);
		CompletableFuture<LockAttempt> one = this.world.attempt(this.world.redlock, STOCK);
		CompletableFuture<LockAttempt> two = this.world.attempt(this.world.redlock, STOCK);
		CompletableFuture<LockAttempt> other = this.world.attempt(this.world.other, STOCK);
		this.world.time.advance(Duration.ofSeconds(1));
		// The one there knows by the answer to its release that somebody listens here.
		held.close();
		this.world.answered(other).orThrow();
		CompletableFuture<LockAttempt> again = this.world.attempt(this.world.other, STOCK);
		one.thenAccept((attempt) -> order.add("here"));
		two.thenAccept((attempt) -> order.add("here"));
		again.thenAccept((attempt) -> order.add("there"));
		this.world.answered(other).orThrow().close();
		this.world.time.advance(Duration.ofMillis(1));
		CompletableFuture<LockAttempt> three = this.world.attempt(this.world.redlock, STOCK);
		CompletableFuture<LockAttempt> four = this.world.attempt(this.world.redlock, STOCK);
		three.thenAccept((attempt) -> order.add("here"));
		this.world.answered(one).orThrow().close();
		this.world.answered(two).orThrow().close();
		this.world.answered(three).orThrow().close();
		assertThat(four).isNotDone();
		// The two processes know of each other only now, and either may come first.
		four.cancel(false);
		this.world.time.advance(Duration.ofMillis(10));
		assertThat(again).isCompleted();
		assertThat(this.world.answered(again).lease()).isPresent();
		assertThat(order).containsExactly("here", "here", "here", "there");
	}

	@Test
	void whoIsFirstNoticedWhileAProcessHasTheLockIsNextAfterThat() {
		Lease held = this.world.acquire(this.world.redlock, STOCK);
		List<CompletableFuture<LockAttempt>> line = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			line.add(this.world.attempt(this.world.redlock, STOCK));
		}
		CompletableFuture<LockAttempt> other = this.world.attempt(this.world.other, STOCK);
		this.world.time.advance(Duration.ofSeconds(1));
		// The answer to this release tells that somebody listens elsewhere.
		held.close();
		this.world.answered(line.get(0)).orThrow().close();
		this.world.time.advance(Duration.ofMillis(10));
		assertThat(other).isCompleted();
		assertThat(line.get(1)).isNotDone();
		this.world.answered(other).orThrow().close();
		this.world.time.advance(Duration.ofMillis(10));
		assertThat(this.world.answered(line.get(1)).lease()).isPresent();
	}

	@Test
	void aLockThatIsKeptForAWhileIsHadWhenThatIsOver() {
		Lease held = this.world.acquire(this.world.other, STOCK.withAtLeast(Duration.ofSeconds(3)));
		CompletableFuture<LockAttempt> waiter = this.world.attempt(this.world.redlock, STOCK);
		this.world.time.advance(Duration.ofSeconds(1));
		held.close();
		this.world.time.advance(Duration.ofMillis(1_900));
		assertThat(waiter).isNotDone();
		this.world.time.advance(Duration.ofMillis(150));
		assertThat(this.world.answered(waiter).lease()).isPresent();
	}

	@Test
	void nothingIsKeptForNamesThatNobodyUses() {
		for (int i = 0; i < 200; i++) {
			LockRequest request = LockRequest.of("name" + i);
			Lease held = this.world.acquire(this.world.other, request);
			CompletableFuture<LockAttempt> waiter = this.world.attempt(this.world.redlock, request);
			held.close();
			this.world.time.advance(Duration.ofMillis(10));
			this.world.answered(waiter).orThrow().close();
		}
		this.world.time.advance(Duration.ofSeconds(2));
		assertThat(Internals.queues(this.world.redlock.engine()) + Internals.queues(this.world.other.engine()))
			.isZero();
		assertThat(this.world.nodes.get(0).watches("redlock:name0")).isZero();
		assertThat(this.world.time.pending()).isZero();
	}

	@Test
	void aWaitEndsOnTimeAlsoWhenNothingHappens() {
		this.world.acquire(this.world.other, STOCK.withTtl(Duration.ofSeconds(60)));
		CompletableFuture<LockAttempt> waiter = this.world.attempt(STOCK.withWaitFor(Duration.ofSeconds(2)));
		this.world.time.advance(Duration.ofSeconds(2));
		assertThat(waiter).isCompleted();
		assertThat(this.world.answered(waiter).waited()).isEqualTo(Duration.ofSeconds(2));
	}

	@Test
	void theLastTryComesANodeTimeoutBeforeTheEndOfTheWaitAlsoIfAnotherRequestHasJoined() {
		Lease held = this.world.acquire(this.world.other, STOCK.withTtl(Duration.ofSeconds(60)));
		CompletableFuture<LockAttempt> waiter = this.world.attempt(STOCK.withWaitFor(Duration.ofSeconds(10)));
		this.world.time.advance(Duration.ofSeconds(5));
		this.world.attempt(STOCK.withWaitFor(Duration.ofSeconds(10)));
		this.world.time.advance(Duration.ofSeconds(4));
		this.world.counted.forEach((node) -> node.silent = true);
		held.close();
		this.world.time.advance(Duration.ofMillis(400));
		assertThat(waiter).isNotDone();
		this.world.time.advance(Duration.ofMillis(200));
		assertThat(this.world.answered(waiter).lease()).isPresent();
	}

	/** With an owner of another library, which does not announce. */
	@Test
	void theLastTryComesBesideASilentOwnerAlsoIfAnotherRequestHasJoined() {
		Claim foreign = new Claim(List.of("redlock:stock"), "foreign", Duration.ofSeconds(60));
		this.world.nodes.forEach((node) -> node.acquire(foreign, Claim.UNFENCED));
		LockRequest slow = STOCK.withRetryDelay(Duration.ofSeconds(30)).withWaitFor(Duration.ofSeconds(10));
		CompletableFuture<LockAttempt> waiter = this.world.attempt(slow);
		this.world.time.advance(Duration.ofSeconds(1));
		this.world.attempt(slow);
		this.world.nodes.forEach((node) -> node.release(foreign, Duration.ZERO, false));
		this.world.time.advance(Duration.ofSeconds(10));
		assertThat(this.world.answered(waiter).lease()).isPresent();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aRequestBehindOneThatGaveUpPollsByItsOwnRetryDelay(boolean down) {
		Claim foreign = new Claim(List.of("redlock:stock"), "foreign", Duration.ofSeconds(60));
		this.world.nodes.forEach((node) -> node.acquire(foreign, Claim.UNFENCED));
		if (down) {
			this.world.nodes.forEach(InMemoryNode::down);
		}
		this.world.attempt(STOCK.withWaitFor(Duration.ofSeconds(1)).withRetryDelay(Duration.ofMinutes(5)));
		CompletableFuture<LockAttempt> second = this.world.attempt(STOCK.withRetryDelay(Duration.ofMillis(200)));
		this.world.time.advance(Duration.ofSeconds(2));
		this.world.nodes.forEach(InMemoryNode::up);
		this.world.nodes.forEach((node) -> node.release(foreign, Duration.ZERO, false));
		this.world.time.advance(Duration.ofSeconds(5));
		assertThat(second).as("the lock has been free for 5 s, and the retry delay is 200 ms").isDone();
	}

	@Test
	void aProcessServesNoMoreThanSixteenRequestsInARowWhileOthersWait() {
		Lease held = this.world.acquire(this.world.other, STOCK);
		List<LockAttempt> served = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			this.world.attempt(STOCK).thenAccept((attempt) -> {
				served.add(attempt);
				attempt.orThrow().close();
			});
		}
		CompletableFuture<LockAttempt> second = this.world.attempt(this.world.other, STOCK);
		this.world.time.advance(Duration.ofSeconds(1));
		// The answer to this release tells the other process that this one listens.
		held.close();
		Lease handedOver = this.world.answered(second).orThrow();
		CompletableFuture<Integer> servedBefore = this.world.attempt(this.world.other, STOCK)
			.thenApply((attempt) -> served.size());
		handedOver.close();
		this.world.time.advance(Duration.ofSeconds(1));
		assertThat(servedBefore).isCompletedWithValue(16);
	}

}

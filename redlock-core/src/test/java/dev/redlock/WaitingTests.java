package dev.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.memory.ManualTime;
import dev.redlock.spi.Claim;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WaitingTests {

	private static final LockRequest STOCK = LockRequest.of("stock").withWaitFor(Duration.ofSeconds(30));

	private static final String KEY = "redlock:stock";

	private final ManualTime time = new ManualTime();

	private final List<InMemoryNode> servers = new ArrayList<>();

	private final List<CountingNode> nodes = new ArrayList<>();

	private final Redlock here;

	private final Redlock there;

	WaitingTests() {
		for (int i = 0; i < 5; i++) {
			InMemoryNode server = new InMemoryNode("n" + i, this.time);
			this.servers.add(server);
			this.nodes.add(new CountingNode(server));
		}
		this.here = process(1);
		this.there = process(2);
	}

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
		assertThat(this.here.lines().size()).isZero();
	}

	@Test
	void aLockGoesFromOneToTheNextInAProcessWithOneRoundAndNoAnnouncement() {
		Lease held = acquire(this.here);
		CompletableFuture<LockAttempt> next = attempt(this.here);
		held.close();
		assertThat(next.join().orThrow().fence()).isGreaterThan(held.fence());
		assertThat(next.join().orThrow().token()).isNotEqualTo(held.token());
		assertThat(acquires()).isEqualTo(2);
		assertThat(this.nodes.get(0).announced).hasValue(0);
		next.join().orThrow().close();
		assertThat(this.nodes.get(0).announced).hasValue(1);
	}

	@Test
	void aWaiterInAnotherProcessIsWokenByTheRelease() {
		Lease held = acquire(this.here);
		CompletableFuture<LockAttempt> waiter = attempt(this.there);
		this.time.advance(Duration.ofSeconds(1));
		int before = acquires();
		held.close();
		this.time.advance(Duration.ofMillis(5));
		assertThat(waiter.join().lease()).isPresent();
		assertThat(acquires() - before).isEqualTo(1);
	}

	@Test
	void aReleaseOfWhichANodeSpeaksLateIsWorthATryAndNoMore() {
		Lease held = acquire(this.here);
		this.servers.get(4).freeze();
		held.close();
		Lease second = acquire(this.there);
		CompletableFuture<LockAttempt> third = attempt(this.here);
		this.time.advance(Duration.ofSeconds(1));
		int before = acquires();
		this.servers.get(4).up();
		this.time.advance(Duration.ofSeconds(1));
		assertThat(third).isNotDone();
		assertThat(acquires() - before).isLessThanOrEqualTo(2);
		second.close();
		this.time.advance(Duration.ofMillis(5));
		assertThat(third.join().lease()).isPresent();
	}

	@Test
	void aMinorityThatAnnouncesWakesAWaiterAMomentLater() {
		Lease held = acquire(this.here);
		CompletableFuture<LockAttempt> waiter = attempt(this.there);
		this.time.advance(Duration.ofSeconds(1));
		this.nodes.subList(0, 4).forEach((node) -> node.silent = true);
		held.close();
		assertThat(waiter).isNotDone();
		this.time.advance(Duration.ofMillis(10));
		assertThat(waiter.join().lease()).isPresent();
	}

	@Test
	void aHolderOfABareMajorityIsNotAskedForEver() {
		this.servers.subList(3, 5).forEach(InMemoryNode::down);
		acquire(this.there, STOCK.withTtl(Duration.ofSeconds(60)));
		this.servers.subList(3, 5).forEach(InMemoryNode::up);
		CompletableFuture<LockAttempt> waiter = attempt(this.here, STOCK.withWaitFor(Duration.ofSeconds(55)));
		this.time.advance(Duration.ofSeconds(1));
		int before = acquires();
		this.time.advance(Duration.ofSeconds(40));
		assertThat(waiter).isNotDone();
		assertThat(acquires() - before).isLessThanOrEqualTo(4);
	}

	@Test
	void aReleaseThatNobodyHeardIsFoundWhenTheClaimWouldHaveEnded() {
		Lease held = acquire(this.here);
		CompletableFuture<LockAttempt> waiter = attempt(this.there);
		this.time.advance(Duration.ofSeconds(1));
		this.nodes.forEach((node) -> node.silent = true);
		held.close();
		this.time.advance(Duration.ofSeconds(8));
		assertThat(waiter).isNotDone();
		this.time.advance(Duration.ofMillis(1100));
		assertThat(waiter.join().lease()).isPresent();
	}

	@Test
	void aCrashedHolderIsFollowedWhenItsClaimEnds() {
		acquire(this.here);
		CompletableFuture<LockAttempt> waiter = attempt(this.there);
		this.time.advance(Duration.ofMillis(9_990));
		int before = acquires();
		assertThat(waiter).isNotDone();
		this.time.advance(Duration.ofMillis(30));
		assertThat(waiter.join().lease()).isPresent();
		assertThat(acquires() - before).isLessThanOrEqualTo(3);
	}

	@Test
	void aHolderThatDoesNotAnnounceIsAskedAfterAtTheRetryDelay() {
		Claim foreign = new Claim(List.of(KEY), "foreign", Duration.ofSeconds(20));
		this.servers.forEach((node) -> node.acquire(foreign, Claim.UNFENCED));
		CompletableFuture<LockAttempt> waiter = attempt(this.here);
		this.time.advance(Duration.ofSeconds(2));
		assertThat(acquires()).isBetween(10, 22);
		this.servers.forEach((node) -> node.release(foreign, Duration.ZERO, false));
		this.time.advance(Duration.ofMillis(200));
		assertThat(waiter.join().lease()).isPresent();
	}

	@Test
	void anIdleWaiterAsksLessThanOnceInTenSeconds() {
		acquire(this.there, STOCK.withRenew(true).withTtl(Duration.ofSeconds(30)));
		CompletableFuture<LockAttempt> waiter = attempt(this.here, STOCK.withWaitFor(Duration.ofMinutes(10)));
		this.time.advance(Duration.ofSeconds(1));
		int before = acquires();
		this.time.advance(Duration.ofSeconds(300));
		assertThat(waiter).isNotDone();
		assertThat(acquires() - before).isLessThanOrEqualTo(30);
	}

	@Test
	void whoRunsOutOfTimeLeavesTheLineAtOnce() {
		Lease held = acquire(this.here);
		CompletableFuture<LockAttempt> first = attempt(this.here, STOCK.withWaitFor(Duration.ofSeconds(1)));
		CompletableFuture<LockAttempt> second = attempt(this.here);
		this.time.advance(Duration.ofSeconds(1));
		assertThat(first.join().reason()).contains(Reason.HELD);
		assertThat(first.join().tries()).isZero();
		assertThat(first.join().votes()).singleElement().satisfies((vote) -> assertThat(vote.node()).contains("this"));
		held.close();
		assertThat(second.join().lease()).isPresent();
	}

	@Test
	void whoIsCancelledLeavesTheLineAtOnce() {
		Lease held = acquire(this.here);
		CompletableFuture<LockAttempt> first = attempt(this.here);
		CompletableFuture<LockAttempt> second = attempt(this.here);
		first.cancel(false);
		held.close();
		second.join().orThrow().close();
		assertThat(this.here.lines().size()).isZero();
		assertThat(acquires()).isEqualTo(2);
		assertThat(this.time.pending()).isZero();
	}

	@Test
	void aProcessServesThoseWhoWaitedAndHalfAsManyAgainThenLetsOthersHaveTheirChance() {
		List<String> order = new ArrayList<>();
		Lease held = acquire(this.there);
		CompletableFuture<LockAttempt> one = attempt(this.here);
		CompletableFuture<LockAttempt> two = attempt(this.here);
		CompletableFuture<LockAttempt> other = attempt(this.there);
		this.time.advance(Duration.ofSeconds(1));
		// The one there knows by the answer to its release that somebody listens here.
		held.close();
		other.join().orThrow();
		CompletableFuture<LockAttempt> again = attempt(this.there);
		one.thenAccept((attempt) -> order.add("here"));
		two.thenAccept((attempt) -> order.add("here"));
		again.thenAccept((attempt) -> order.add("there"));
		other.join().orThrow().close();
		this.time.advance(Duration.ofMillis(1));
		CompletableFuture<LockAttempt> three = attempt(this.here);
		CompletableFuture<LockAttempt> four = attempt(this.here);
		three.thenAccept((attempt) -> order.add("here"));
		one.join().orThrow().close();
		two.join().orThrow().close();
		three.join().orThrow().close();
		assertThat(four).isNotDone();
		// The two processes know of each other only now, and either may come first.
		four.cancel(false);
		this.time.advance(Duration.ofMillis(10));
		assertThat(again).isCompleted();
		assertThat(again.join().lease()).isPresent();
		assertThat(order).containsExactly("here", "here", "here", "there");
	}

	@Test
	void whoWaitsInTheLineKnowsWhatTheNodesToldTheFirst() {
		this.servers.subList(0, 3).forEach(InMemoryNode::down);
		attempt(this.here);
		CompletableFuture<LockAttempt> second = attempt(this.here, STOCK.withWaitFor(Duration.ofMillis(500)));
		this.time.advance(Duration.ofMillis(500));
		assertThat(second.join().reason()).contains(Reason.NO_QUORUM);
		assertThat(second.join().votes()).hasSize(5);
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
		LockAttempt attempt = attempt(this.here, STOCK.withWaitFor(Duration.ZERO)).join();
		assertThat(attempt.reason()).contains(Reason.HELD);
		assertThat(acquires()).isEqualTo(1);
		assertThat(attempt(this.here, STOCK.withRetryCount(0)).join().reason()).contains(Reason.HELD);
	}

	@Test
	void severalKeysAreWaitedForInTheirOrderWithoutDeadlock() {
		Lease a = acquire(this.here, LockRequest.of("a"));
		Lease b = acquire(this.here, LockRequest.of("b"));
		CompletableFuture<LockAttempt> ab = attempt(this.here, LockRequest.of("a", "b"));
		CompletableFuture<LockAttempt> ba = attempt(this.here, LockRequest.of("b", "a"));
		CompletableFuture<LockAttempt> onlyB = attempt(this.here, LockRequest.of("b"));
		b.close();
		onlyB.join().orThrow().close();
		a.close();
		ab.join().orThrow().close();
		ba.join().orThrow().close();
		assertThat(this.here.lines().size()).isZero();
	}

	@Test
	void aLockThatIsKeptForAWhileIsHadWhenThatIsOver() {
		Lease held = acquire(this.there, STOCK.withAtLeast(Duration.ofSeconds(3)));
		CompletableFuture<LockAttempt> waiter = attempt(this.here);
		this.time.advance(Duration.ofSeconds(1));
		held.close();
		this.time.advance(Duration.ofMillis(1_900));
		assertThat(waiter).isNotDone();
		this.time.advance(Duration.ofMillis(150));
		assertThat(waiter.join().lease()).isPresent();
	}

	@Test
	void nothingIsKeptForNamesThatNobodyUses() {
		for (int i = 0; i < 1_000; i++) {
			LockRequest request = LockRequest.of("name" + i);
			Lease held = acquire(this.there, request);
			CompletableFuture<LockAttempt> waiter = attempt(this.here, request);
			held.close();
			this.time.advance(Duration.ofMillis(10));
			waiter.join().orThrow().close();
		}
		this.time.advance(Duration.ofSeconds(2));
		assertThat(this.here.lines().size() + this.there.lines().size()).isZero();
		assertThat(this.servers.get(0).watches("redlock:name0")).isZero();
		assertThat(this.time.pending()).isZero();
	}

	@Test
	void noWatchIsKeptForANameWithoutWaiters() {
		Lease held = acquire(this.there);
		CompletableFuture<LockAttempt> waiter = attempt(this.here);
		assertThat(this.servers).allSatisfy((node) -> assertThat(node.watches(KEY)).isEqualTo(1));
		held.close();
		this.time.advance(Duration.ofSeconds(1));
		assertThat(waiter.join().lease()).isPresent();
		assertThat(this.servers).allSatisfy((node) -> assertThat(node.watches(KEY)).isZero());
	}

	@Test
	void shuttingDownEndsAllWhoWaitWithoutAskingTheNodes() {
		acquire(this.here);
		List<CompletableFuture<LockAttempt>> waiters = new ArrayList<>();
		for (int i = 0; i < 10_000; i++) {
			waiters.add(attempt(this.here));
		}
		this.here.close();
		assertThat(waiters).allSatisfy((waiter) -> assertThat(waiter.join().reason()).contains(Reason.SHUTTING_DOWN));
		assertThat(acquires()).isEqualTo(1);
		assertThat(this.time.pending()).isZero();
		assertThat(attempt(this.here).join().reason()).contains(Reason.SHUTTING_DOWN);
		assertThat(this.here.lines().size()).isZero();
	}

	@Test
	void aLeaseThatWasLostMakesPlaceForTheNext() {
		acquire(this.here);
		CompletableFuture<LockAttempt> next = attempt(this.here);
		this.time.advance(Duration.ofMillis(9_890));
		assertThat(next).isNotDone();
		this.time.advance(Duration.ofMillis(150));
		assertThat(next.join().lease()).isPresent();
	}

	private Redlock process(long seed) {
		return Redlock.over(this.nodes)
			.settings(RedlockFixture.settings())
			.ticker(this.time)
			.scheduler(this.time)
			.random(new SplittableRandom(seed))
			.callbacks(Runnable::run)
			.build();
	}

	private static CompletableFuture<LockAttempt> attempt(Redlock process) {
		return attempt(process, STOCK);
	}

	private static CompletableFuture<LockAttempt> attempt(Redlock process, LockRequest request) {
		return process.attempt(request).toCompletableFuture();
	}

	private static Lease acquire(Redlock process) {
		return acquire(process, STOCK);
	}

	private static Lease acquire(Redlock process, LockRequest request) {
		return attempt(process, request).join().orThrow();
	}

	private int acquires() {
		return this.nodes.get(0).acquires.get();
	}

}

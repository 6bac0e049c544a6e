package dev.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.redlock.internal.Internals;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spi.Claim;
import org.junit.jupiter.api.Test;

import static dev.redlock.Completed.completed;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Those who wait for what another process holds.
 */
class WaitingForOthersTests extends TwoProcesses {

	@Test
	void aWaiterInAnotherProcessIsWokenByTheRelease() {
		Lease held = acquire(this.here);
		CompletableFuture<LockAttempt> waiter = attempt(this.there);
		this.time.advance(Duration.ofSeconds(1));
		int before = acquires();
		held.close();
		this.time.advance(Duration.ofMillis(5));
		assertThat(completed(waiter).lease()).isPresent();
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
		assertThat(completed(third).lease()).isPresent();
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
		assertThat(completed(waiter).lease()).isPresent();
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
		assertThat(completed(waiter).lease()).isPresent();
	}

	@Test
	void aCrashedHolderIsFollowedWhenItsClaimEnds() {
		acquire(this.here);
		CompletableFuture<LockAttempt> waiter = attempt(this.there);
		this.time.advance(Duration.ofMillis(9_990));
		int before = acquires();
		assertThat(waiter).isNotDone();
		this.time.advance(Duration.ofMillis(30));
		assertThat(completed(waiter).lease()).isPresent();
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
		assertThat(completed(waiter).lease()).isPresent();
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
	void aProcessServesThoseWhoWaitedAndHalfAsManyAgainThenLetsOthersHaveTheirChance() {
		List<String> order = new ArrayList<>();
		Lease held = acquire(this.there);
		CompletableFuture<LockAttempt> one = attempt(this.here);
		CompletableFuture<LockAttempt> two = attempt(this.here);
		CompletableFuture<LockAttempt> other = attempt(this.there);
		this.time.advance(Duration.ofSeconds(1));
		// The one there knows by the answer to its release that somebody listens here.
		held.close();
		completed(other).orThrow();
		CompletableFuture<LockAttempt> again = attempt(this.there);
		one.thenAccept((attempt) -> order.add("here"));
		two.thenAccept((attempt) -> order.add("here"));
		again.thenAccept((attempt) -> order.add("there"));
		completed(other).orThrow().close();
		this.time.advance(Duration.ofMillis(1));
		CompletableFuture<LockAttempt> three = attempt(this.here);
		CompletableFuture<LockAttempt> four = attempt(this.here);
		three.thenAccept((attempt) -> order.add("here"));
		completed(one).orThrow().close();
		completed(two).orThrow().close();
		completed(three).orThrow().close();
		assertThat(four).isNotDone();
		// The two processes know of each other only now, and either may come first.
		four.cancel(false);
		this.time.advance(Duration.ofMillis(10));
		assertThat(again).isCompleted();
		assertThat(completed(again).lease()).isPresent();
		assertThat(order).containsExactly("here", "here", "here", "there");
	}

	@Test
	void whoIsFirstNoticedWhileAProcessHasTheLockIsNextAfterThat() {
		Lease held = acquire(this.here);
		List<CompletableFuture<LockAttempt>> line = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			line.add(attempt(this.here));
		}
		CompletableFuture<LockAttempt> other = attempt(this.there);
		this.time.advance(Duration.ofSeconds(1));
		// The answer to this release tells that somebody listens elsewhere.
		held.close();
		completed(line.get(0)).orThrow().close();
		this.time.advance(Duration.ofMillis(10));
		assertThat(other).isCompleted();
		assertThat(line.get(1)).isNotDone();
		completed(other).orThrow().close();
		this.time.advance(Duration.ofMillis(10));
		assertThat(completed(line.get(1)).lease()).isPresent();
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
		assertThat(completed(waiter).lease()).isPresent();
	}

	@Test
	void nothingIsKeptForNamesThatNobodyUses() {
		for (int i = 0; i < 1_000; i++) {
			LockRequest request = LockRequest.of("name" + i);
			Lease held = acquire(this.there, request);
			CompletableFuture<LockAttempt> waiter = attempt(this.here, request);
			held.close();
			this.time.advance(Duration.ofMillis(10));
			completed(waiter).orThrow().close();
		}
		this.time.advance(Duration.ofSeconds(2));
		assertThat(Internals.queues(this.here.engine()) + Internals.queues(this.there.engine())).isZero();
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
		assertThat(completed(waiter).lease()).isPresent();
		assertThat(this.servers).allSatisfy((node) -> assertThat(node.watches(KEY)).isZero());
	}

}

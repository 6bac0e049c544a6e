package dev.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockWorld.Answers;
import dev.redlock.internal.client.Internals;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spi.Claim;
import dev.redlock.spi.Claim.Predecessor;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A lock that goes from one request of a process to the next.
 */
@ParameterizedClass
@EnumSource
class HandOverTests {

	private static final LockRequest BOTH = LockRequest.of("stock", "till").withWaitFor(Duration.ofSeconds(30));

	private static final LockRequest STOCK = LockRequest.of("stock").withWaitFor(Duration.ofSeconds(30));

	@RegisterExtension
	final LockWorld world;

	HandOverTests(Answers answers) {
		this.world = new LockWorld(5, answers);
	}

	@Test
	void oneCommandToEachNodeReleasesTheLockAndTakesIt() {
		Lease held = this.world.acquire(STOCK);
		CompletableFuture<LockAttempt> next = this.world.attempt(STOCK);
		ReleaseResult result = close(held);
		Lease successor = this.world.answered(next).orThrow();
		assertThat(result).isEqualTo(new ReleaseResult(5, 5, true));
		assertThat(successor.fence()).isGreaterThan(held.fence());
		for (CountingNode node : this.world.counted) {
			assertThat(node.acquired).hasSize(2);
			assertThat(node.acquired.get(1).succeeds())
				.isEqualTo(new Predecessor(Internals.token(held), held.fence(), false));
			assertThat(node.released).isEmpty();
		}
		assertThat(this.world.heldOn("stock")).isEqualTo(5);
		close(successor);
		assertThat(this.world.heldOn("stock")).isZero();
	}

	@Test
	void theHolderHearsOfItsReleaseBeforeTheNextRequestReleasesTheLock() {
		List<String> order = new ArrayList<>();
		Lease held = this.world.acquire(STOCK);
		this.world.attempt(STOCK)
			.thenAccept((attempt) -> attempt.orThrow().releaseAsync().thenRun(() -> order.add("next released")));
		this.world.time
			.post(() -> held.releaseAsync().thenAccept((result) -> order.add("released by " + result.released())));
		this.world.answers();
		this.world.answers();
		assertThat(order).containsExactly("released by 5", "next released");
	}

	@ParameterizedTest
	@EnumSource
	void aNodeThatDoesNotVoteIsAskedToRelease(Fault fault) {
		Lease held = this.world.acquire(STOCK);
		CompletableFuture<LockAttempt> next = this.world.attempt(STOCK);
		withoutVotes(fault, 3, 4);
		assertThat(close(held)).isEqualTo(new ReleaseResult(5, 5, true));
		assertThat(this.world.answered(next).lease()).isPresent();
		assertThat(this.world.counted.get(0).released).isEmpty();
		assertThat(this.world.counted.subList(3, 5))
			.allSatisfy((node) -> assertThat(tokens(node.released)).containsExactly(Internals.token(held)));
		assertThat(this.world.heldOn("stock")).isEqualTo(3);
	}

	@Test
	void theReleaseIsRepeatedWhereItFails() {
		Lease held = this.world.acquire(STOCK);
		CompletableFuture<LockAttempt> next = this.world.attempt(STOCK);
		withoutVotes(Fault.STALE, 4);
		this.world.counted.get(4).releasesNothing = true;
		assertThat(close(held)).isEqualTo(new ReleaseResult(4, 5, true));
		assertThat(this.world.answered(next).lease()).isPresent();
		this.world.time.advance(Duration.ofSeconds(1));
		assertThat(this.world.heldOn("stock")).isEqualTo(5);
		this.world.counted.get(4).releasesNothing = false;
		this.world.time.advance(Duration.ofSeconds(2));
		assertThat(this.world.heldOn("stock")).isEqualTo(4);
	}

	@Test
	void aNodeThatIsSilentIsAskedToRelease() {
		Lease held = this.world.acquire(STOCK);
		CompletableFuture<LockAttempt> next = this.world.attempt(STOCK);
		this.world.nodes.get(4).freeze();
		CompletableFuture<ReleaseResult> released = this.world.handedOut(held.releaseAsync());
		assertThat(this.world.answered(next).lease()).isPresent();
		this.world.time.advance(Duration.ofSeconds(5));
		assertThat(released).isCompletedWithValue(new ReleaseResult(4, 5, true));
		assertThat(tokens(this.world.counted.get(4).released)).containsExactly(Internals.token(held));
	}

	@Test
	void aRefusalReleasesTheKeysOfThePredecessor() {
		Lease held = this.world.acquire(BOTH);
		CompletableFuture<LockAttempt> next = this.world.attempt(BOTH);
		InMemoryNode contested = this.world.nodes.get(0);
		takeTill(contested, held);
		assertThat(close(held)).isEqualTo(new ReleaseResult(4, 5, true));
		assertThat(this.world.answered(next).lease()).isPresent();
		assertThat(contested.tokens()).containsOnlyKeys("redlock:till");
		assertThat(this.world.counted.get(0).released).isEmpty();
	}

	@Test
	void otherProcessesAreToldIfTheNextRequestDoesNotGetTheLock() {
		Lease held = this.world.acquire(STOCK);
		this.world.attempt(STOCK.withWaitFor(Duration.ofSeconds(1)));
		CompletableFuture<LockAttempt> other = this.world.attempt(this.world.other, STOCK);
		this.world.time.advance(Duration.ofMillis(50));
		withoutVotes(Fault.STALE, 0, 1, 2);
		close(held);
		this.world.time.advance(Duration.ofMillis(50));
		assertThat(this.world.answered(other).lease()).isPresent();
	}

	@Test
	void otherProcessesAreToldOfTheKeysThatARefusalReleases() {
		Lease held = this.world.acquire(BOTH);
		this.world.attempt(BOTH.withWaitFor(Duration.ofSeconds(1)));
		CompletableFuture<LockAttempt> other = this.world.attempt(this.world.other, STOCK);
		this.world.time.advance(Duration.ofMillis(50));
		this.world.nodes.subList(0, 3).forEach((node) -> takeTill(node, held));
		close(held);
		this.world.time.advance(Duration.ofMillis(50));
		assertThat(this.world.answered(other).lease()).isPresent();
	}

	@Test
	void otherProcessesAreToldIfTheNextRequestGivesUpMeanwhile() {
		Lease held = this.world.acquire(STOCK);
		CompletableFuture<LockAttempt> next = this.world.attempt(STOCK);
		CompletableFuture<LockAttempt> other = this.world.attempt(this.world.other, STOCK);
		this.world.time.advance(Duration.ofMillis(50));
		withoutVotes(Fault.CLOCK, 3, 4);
		this.world.nodes.subList(0, 3).forEach(InMemoryNode::freeze);
		held.releaseAsync();
		next.cancel(false);
		this.world.nodes.forEach(InMemoryNode::up);
		this.world.time.advance(Duration.ofMillis(50));
		assertThat(this.world.answered(other).lease()).isPresent();
		assertThat(this.world.heldOn("stock")).isEqualTo(5);
	}

	@Test
	void aTryThatNoNodeKnowsTheClockOfIsRepeatedWithoutThePredecessorInItsWay() {
		Lease held = this.world.acquire(STOCK);
		CompletableFuture<LockAttempt> next = this.world.attempt(STOCK);
		this.world.nodes.forEach((node) -> node.stepClock(Duration.ofDays(2)));
		Duration before = Duration.ofNanos(this.world.time.nanoTime());
		close(held);
		assertThat(this.world.answered(next).reason()).isNotEqualTo(Reason.HELD);
		assertThat(Duration.ofNanos(this.world.time.nanoTime()).minus(before)).isLessThan(Duration.ofSeconds(1));
	}

	@Test
	void aLeaseIsNotHandedOverBeforeItsMinimumTimeHasPassed() {
		Lease held = this.world.acquire(STOCK.withAtLeast(Duration.ofSeconds(5)));
		CompletableFuture<LockAttempt> next = this.world.attempt(STOCK);
		this.world.time.advance(Duration.ofSeconds(2));
		close(held);
		this.world.time.advance(Duration.ofMillis(2_900));
		assertThat(next).isNotDone();
		this.world.time.advance(Duration.ofMillis(200));
		assertThat(this.world.answered(next).lease()).isPresent();
		assertThat(this.world.counted.get(0).acquired).allMatch((claim) -> claim.succeeds() == null);
	}

	@Test
	void aLeaseThatHasLapsedIsReleasedAndNotHandedOver() {
		Lease held = this.world.acquire(STOCK);
		CompletableFuture<LockAttempt> next = this.world.attempt(STOCK);
		this.world.time.stepWallClock(Duration.ofMillis(9_950));
		assertThat(close(held)).isEqualTo(new ReleaseResult(5, 5, false));
		assertThat(this.world.answered(next).lease()).isPresent();
		assertThat(this.world.counted.get(0).acquired).allMatch((claim) -> claim.succeeds() == null);
	}

	@Test
	void aLeaseThatLapsesHasNoSuccessorBeforeItsLockDelayHasPassed() {
		RedlockSettings delayed = LockWorld.settings().toBuilder().lockDelay(Duration.ofSeconds(5)).build();
		Redlock process = this.world.another(delayed, 6);
		this.world.acquire(process, STOCK);
		CompletableFuture<LockAttempt> next = this.world.attempt(process, STOCK);
		this.world.time.advance(Duration.ofMillis(14_900));
		assertThat(next).isNotDone();
		assertThat(this.world.heldOn("stock")).isEqualTo(5);
		this.world.time.advance(Duration.ofSeconds(1));
		assertThat(this.world.answered(next).lease()).isPresent();
		assertThat(this.world.counted.get(0).acquired).allMatch((claim) -> claim.succeeds() == null);
	}

	@Test
	void aDetachedLeaseHasNoSuccessorInItsProcess() {
		Lease held = this.world.acquire(STOCK);
		CompletableFuture<LockAttempt> next = this.world.attempt(STOCK);
		String ticket = held.detach();
		this.world.time.advance(Duration.ofSeconds(1));
		held.close();
		assertThat(next).isNotDone();
		Lease carried = this.world.acquire(this.world.other, LockRequest.succeeding(ticket));
		assertThat(this.world.counted.get(0).acquired).filteredOn((claim) -> claim.succeeds() != null)
			.allMatch((claim) -> claim.succeeds().strict());
		carried.close();
		assertThat(this.world.answered(next).lease()).isPresent();
	}

	@Test
	void aTicketAndAJobAreRequestsOfAnotherKind() {
		String ticket = this.world.acquire(this.world.other, STOCK).detach();
		this.world.nodes.forEach(InMemoryNode::forget);
		Lease held = this.world.acquire(STOCK);
		this.world.attempt(LockRequest.succeeding(ticket));
		CompletableFuture<LockAttempt> job = this.world.attempt(STOCK
			.withTick(new Tick(this.world.time.epochMicros(), Duration.ofMinutes(1), Duration.ofSeconds(1), false)));
		close(held);
		assertThat(this.world.answered(job).lease()).isPresent();
		assertThat(this.world.counted.get(0).acquired).allMatch((claim) -> claim.succeeds() == null);
	}

	@Test
	void otherNamesAndOtherInstancesAreReleasedAndAcquired() {
		Lease held = this.world.acquire(STOCK);
		CompletableFuture<LockAttempt> both = this.world.attempt(STOCK.withResources(List.of("stock", "till")));
		CompletableFuture<LockAttempt> some = this.world.attempt(STOCK.withInstances("a", "b", "c"));
		this.world.time.advance(Duration.ofMillis(50));
		close(held);
		this.world.time.advance(Duration.ofSeconds(10));
		assertThat(both.isDone() || some.isDone()).isTrue();
		assertThat(this.world.counted.get(0).acquired).allMatch((claim) -> claim.succeeds() == null);
	}

	@Test
	void withoutFencesTheLockIsHandedOverToo() {
		Redlock unfenced = this.world.another(LockWorld.settings().toBuilder().fencing(false).build(), 7);
		Lease held = this.world.acquire(unfenced, STOCK);
		CompletableFuture<LockAttempt> next = this.world.attempt(unfenced, STOCK);
		assertThat(close(held)).isEqualTo(new ReleaseResult(5, 5, true));
		assertThat(this.world.answered(next).lease()).isPresent();
		assertThat(this.world.counted.get(0).released).isEmpty();
	}

	@Test
	void aShutdownWaitsForTheReleaseThatTheNextRequestOwes() {
		Lease held = this.world.acquire(STOCK);
		CompletableFuture<LockAttempt> next = this.world.attempt(STOCK);
		withoutVotes(Fault.STALE, 0, 1, 2, 3, 4);
		held.close();
		this.world.handedOut(this.world.redlock.closeAsync());
		assertThat(this.world.answered(next).lease()).isEmpty();
		this.world.time.advance(Duration.ofSeconds(1));
		assertThat(this.world.heldOn("stock")).isZero();
	}

	private ReleaseResult close(Lease lease) {
		return this.world.answered(this.world.handedOut(lease.releaseAsync()));
	}

	/**
	 * Lets a rival have one of two keys, after its deletion by hand.
	 */
	private static void takeTill(InMemoryNode node, Lease held) {
		List<String> till = List.of("redlock:till");
		node.release(new Claim(till, Internals.token(held), Duration.ofSeconds(1)), Duration.ZERO);
		node.acquire(new Claim(till, "rival", Duration.ofSeconds(9)), Claim.UNFENCED);
	}

	private void withoutVotes(Fault fault, int... nodes) {
		for (int node : nodes) {
			this.world.counted.get(node).votesOnSuccession = new Vote.Faulted(fault, "does not vote", false);
		}
	}

	private static List<String> tokens(List<Claim> claims) {
		return claims.stream().map(Claim::token).toList();
	}

}

package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockWorld.Answers;
import dev.redlock.internal.client.Internals;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spi.Claim;
import dev.redlock.spi.Vote.Refused;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@ParameterizedClass
@EnumSource
class AcquireTests {

	private static final LockRequest AT_ONCE = LockRequest.of("stock").withWaitFor(Duration.ZERO);

	private static final LockRequest TINY = LockRequest.of("stock").withWaitFor(Duration.ofNanos(100_000));

	@RegisterExtension
	final LockWorld world;

	AcquireTests(Answers answers) {
		this.world = new LockWorld(5, answers);
	}

	@Test
	void aLeaseIsHeldOnAllNodesWithOneToken() {
		Lease lease = this.world.acquire("stock");
		assertThat(this.world.nodes).allSatisfy((node) -> assertThat(node.tokens())
			.containsExactlyEntriesOf(Map.of("redlock:stock", Internals.token(lease))));
		assertThat(lease.isValid()).isTrue();
		assertThat(lease.resources()).containsExactly("stock");
		assertThat(lease.fence()).isPositive();
	}

	@Test
	void validityIsTheTtlLessDriftAndTwoMilliseconds() {
		Lease lease = this.world.acquire("stock");
		assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(10_000 - 100 - 2).minus(this.world.roundTrip()));
	}

	@Test
	void closingReleasesOnAllNodes() {
		Lease lease = this.world.acquire("stock");
		lease.close();
		assertThat(this.world.heldOn("stock")).isZero();
		assertThat(lease.isValid()).isFalse();
		assertThat(lease.remaining()).isZero();
		assertThat(lease.releaseAsync().toCompletableFuture()).isCompletedWithValue(new ReleaseResult(5, 5, true));
	}

	@Test
	void majorityFaultingMakesAcquireFailWithNoQuorumAndALinePerNode() {
		for (int i = 0; i < 3; i++) {
			this.world.nodes.get(i).down();
		}
		LockAttempt attempt = this.world.answered(this.world.attempt(AT_ONCE));
		assertThat(attempt.reason()).contains(Reason.NO_QUORUM);
		assertThat(attempt.votes()).hasSize(5);
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(attempt::orThrow)
			.withMessageContaining("NO_QUORUM")
			.withMessageContaining("a: faulted, UNAVAILABLE")
			.withMessageContaining("e: ");
		assertThat(this.world.heldOn("stock")).isZero();
	}

	@Test
	void aHeldLockIsRefusedWithTheHoldersLabel() {
		Lease held = this.world.acquire("stock");
		LockAttempt attempt = this.world.answered(this.world.attempt(AT_ONCE));
		assertThat(attempt.reason()).contains(Reason.HELD);
		assertThat(attempt.votes()).extracting(NodeVote::vote)
			.singleElement(InstanceOfAssertFactories.type(Refused.class))
			.extracting(Refused::remaining)
			.isEqualTo(held.remaining());
		assertThat(attempt.failure().orElseThrow().holder()).contains("tests");
		assertThat(attempt.failure().orElseThrow()).hasMessageContaining(
				"this process, which never releases the lock if the holder of the lock waits for this call: "
						+ "refused, HELD by tests");
		LockAttempt elsewhere = this.world.answered(this.world.another(LockWorld.settings(), 2).attempt(AT_ONCE));
		assertThat(elsewhere.failure().orElseThrow().holder()).contains("tests");
		assertThat(elsewhere.failure().orElseThrow().getMessage()).contains("a: refused, HELD by tests")
			.doesNotContain("|");
	}

	@Test
	void waitingOnSilentNodesTimesOutWithoutAVerdict() {
		this.world.nodes.forEach(InMemoryNode::freeze);
		LockRequest request = LockRequest.of("stock").withWaitFor(Duration.ofMillis(100));
		CompletableFuture<LockAttempt> first = this.world.attempt(request);
		CompletableFuture<LockAttempt> waiter = this.world.attempt(request);
		this.world.time.advance(Duration.ofMillis(100));
		assertThat(first).as("the first try has its node timeout").isNotDone();
		assertThat(waiter.getNow(null).reason()).contains(Reason.TIMED_OUT);
		this.world.time.advance(Duration.ofMillis(400));
		assertThat(first.getNow(null).reason()).contains(Reason.NO_QUORUM);
		this.world.nodes.forEach(InMemoryNode::up);
		assertThat(this.world.heldOn("stock")).isZero();
	}

	@Test
	void aTinyWaitGetsAFreeLockAlsoWhenItsNodesTakeLonger() {
		this.world.nodes.forEach(InMemoryNode::freeze);
		CompletableFuture<LockAttempt> attempt = this.world.attempt(TINY);
		this.world.time.advance(Duration.ofMillis(10));
		assertThat(attempt).isNotDone();
		this.world.nodes.forEach(InMemoryNode::up);
		assertThat(this.world.answered(attempt).lease()).isPresent();
	}

	@Test
	void aTinyWaitForSilentNodesEndsAtTheNodeTimeoutLikeNoWait() {
		this.world.nodes.forEach(InMemoryNode::freeze);
		CompletableFuture<LockAttempt> tiny = this.world.attempt(TINY);
		this.world.time.advance(Duration.ofMillis(499));
		assertThat(tiny).isNotDone();
		this.world.time.advance(Duration.ofMillis(1));
		assertThat(this.world.answered(tiny).reason()).contains(Reason.NO_QUORUM);
		assertThat(this.world.answered(tiny).tries()).isEqualTo(1);
	}

	@Test
	void aSecondTryIsCutShortAtTheEndOfTheWait() {
		this.world.acquire(this.world.other, LockRequest.of("stock"));
		CompletableFuture<LockAttempt> attempt = this.world
			.attempt(LockRequest.of("stock").withWaitFor(Duration.ofMillis(400)));
		this.world.answers();
		this.world.nodes.forEach(InMemoryNode::freeze);
		this.world.time.advance(Duration.ofMillis(400));
		assertThat(attempt).isDone();
		assertThat(this.world.answered(attempt).reason()).contains(Reason.HELD);
	}

	@Test
	void aFirstTryThatBeginsJustBeforeTheEndOfTheWaitGetsItsTime() {
		Lease first = this.world.acquire("stock");
		CompletableFuture<LockAttempt> waiter = this.world
			.attempt(LockRequest.of("stock").withWaitFor(Duration.ofSeconds(1)));
		this.world.time.advance(Duration.ofMillis(999));
		first.close();
		assertThat(this.world.answered(waiter).lease()).isPresent();
	}

	@Test
	void retryCountLimitsTheTries() {
		this.world.nodes
			.forEach((node) -> node.acquire(new Claim(List.of("redlock:stock"), "foreign", Duration.ofSeconds(9)), 0));
		CompletableFuture<LockAttempt> waiter = this.world.attempt(LockRequest.of("stock").withRetryCount(2));
		this.world.time.advance(Duration.ofSeconds(4));
		assertThat(this.world.answered(waiter).tries()).isEqualTo(3);
		assertThat(this.world.answered(waiter).waited()).isLessThanOrEqualTo(Duration.ofMillis(400));
	}

	@Test
	void theRepeatedTryForUnknownClocksIsNotCountedAsARetry() {
		this.world.nodes.forEach((node) -> {
			node.stepClock(Duration.ofDays(2));
			node.acquire(new Claim(List.of("redlock:stock"), "foreign", Duration.ofSeconds(9)), 0);
		});
		CompletableFuture<LockAttempt> waiter = this.world.attempt(LockRequest.of("stock").withRetryCount(1));
		this.world.time.advance(Duration.ofSeconds(4));
		assertThat(this.world.answered(waiter).tries()).isEqualTo(3);
	}

	@Test
	void aGrantThatComesAfterTheVerdictIsUndone() {
		for (int i = 0; i < 3; i++) {
			this.world.nodes.get(i).freeze();
		}
		this.world.attempt(AT_ONCE);
		this.world.time.advance(Duration.ofSeconds(1));
		this.world.nodes.forEach(InMemoryNode::up);
		assertThat(this.world.heldOn("stock")).isZero();
	}

	@Test
	void cancellingLeavesNothingBehind() {
		for (int i = 0; i < 3; i++) {
			this.world.nodes.get(i).freeze();
		}
		CompletableFuture<LockAttempt> attempt = this.world.attempt(LockRequest.of("stock"));
		attempt.cancel(true);
		this.world.nodes.forEach(InMemoryNode::up);
		assertThat(this.world.heldOn("stock")).isZero();
		assertThat(this.world.time.pending()).isZero();
	}

	@Test
	void aRequestWhoseStageTheCallerCompletesLeavesTheQueueAtOnce() {
		Lease held = this.world.acquire("stock");
		CompletableFuture<LockAttempt> waiter = this.world.attempt(LockRequest.of("stock"));
		waiter.complete(null);
		this.world.answers();
		assertThat(this.world.redlock.waiters()).isEmpty();
		held.close();
	}

	@Test
	void whoWaitsForEverMayBlockAThread() {
		LockRequest patient = LockRequest.of("patient").withWaitFor(Duration.ofMillis(Long.MAX_VALUE));
		assertThat(new LockWorld(3).redlock.attemptAndWait(patient).lease()).isPresent();
	}

	@Test
	void aMajorityThatGrantsTooLateForTheTtlIsNoLease() {
		LockWorld slow = new LockWorld(3,
				LockWorld.settings()
					.toBuilder()
					.waitFor(Duration.ZERO)
					.nodeTimeout(Duration.ofMillis(9_800))
					.fencing(false)
					.build());
		slow.nodes.forEach(InMemoryNode::freeze);
		CompletableFuture<LockAttempt> attempt = slow.attempt(AT_ONCE);
		slow.time.stepWallClock(Duration.ofMillis(9_950));
		slow.nodes.forEach(InMemoryNode::up);
		assertThat(this.world.answered(attempt).reason()).contains(Reason.VALIDITY_EXHAUSTED);
		assertThat(slow.heldOn("stock")).isZero();
	}

	@Test
	void eachTryHasATokenOfItsOwn() {
		Lease first = this.world.acquire("a");
		Lease second = this.world.acquire("b");
		assertThat(Internals.token(first)).isNotEqualTo(Internals.token(second))
			.endsWith("|tests")
			.hasSize(27 + "|tests".length());
	}

	@Test
	void severalResourcesAreAllOrNothing() {
		Lease b = this.world.acquire("b");
		assertThat(this.world.answered(this.world.attempt(LockRequest.of("c", "b", "a").withWaitFor(Duration.ZERO)))
			.reason()).contains(Reason.HELD);
		assertThat(this.world.heldOn("a") + this.world.heldOn("c")).isZero();
		b.close();
		Lease all = this.world.acquire(LockRequest.of("c", "b", "a"));
		assertThat(all.resources()).containsExactly("a", "b", "c");
		all.close();
		assertThat(this.world.heldOn("a") + this.world.heldOn("b") + this.world.heldOn("c")).isZero();
	}

	@Test
	void onlyTheChosenInstancesVote() {
		Lease lease = this.world.acquire(LockRequest.of("stock").withInstances("a", "c", "e"));
		assertThat(this.world.heldOn("stock")).isEqualTo(3);
		lease.close();
		assertThat(this.world.heldOn("stock")).isZero();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 4, 5, 6, 7 })
	void anyNumberOfNodesComesToAVerdictWhenHalfOfThemAreDown(int count) {
		LockWorld half = new LockWorld(count);
		for (int i = 0; i < count / 2; i++) {
			half.nodes.get(i).down();
		}
		boolean majorityIsUp = count % 2 == 1;
		assertThat(this.world.answered(half.attempt(AT_ONCE)).lease().isPresent()).isEqualTo(majorityIsUp);
	}

	@Test
	void badRequestsAreRefusedWithWhatToDo() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.world.redlock.check(LockRequest.of("a").withTtl(Duration.ofMinutes(5))))
			.withMessageContaining("max-ttl of 60000 ms")
			.withMessageContaining("turn on renewal");
		LockRequest endless = LockRequest.of("a").withTtl(Duration.ofSeconds(Long.MAX_VALUE));
		assertThatIllegalArgumentException().isThrownBy(() -> this.world.attempt(endless))
			.withMessageStartingWith("The ttl of PT2562047788015215H30M7S is over the max-ttl of ");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.world.redlock.check(LockRequest.of("a").withTtl(Duration.ofMillis(20))))
			.withMessageContaining("too small")
			.withMessageContaining("Raise the ttl");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.world.redlock.check(LockRequest.of("a").withInstances("a", "nope")))
			.withMessageContaining("nope")
			.withMessageContaining("[a, b, c, d, e]");
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of(" ")).withMessageContaining("blank");
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of("a").withTtl(Duration.ZERO));
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of("a").withWaitFor(Duration.ofMillis(-1)));
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of("a").withRetryDelay(Duration.ofNanos(1)))
			.withMessageContaining("retryDelay")
			.withMessageContaining("1 ms")
			.withMessageContaining("PT0.000000001S");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> RedlockSettings.builder().retryDelay(Duration.ofNanos(999_999)).build())
			.withMessageContaining("retry.delay")
			.withMessageContaining("1 ms");
	}

	@Test
	void aRequestThatIsCancelledBeforeItBeginsAsksNoNode() {
		this.world.time.post(() -> this.world.attempt(AT_ONCE).cancel(false));
		this.world.answers();
		assertThat(this.world.acquires()).isZero();
	}

}

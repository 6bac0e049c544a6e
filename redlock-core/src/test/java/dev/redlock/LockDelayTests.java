package dev.redlock;

import java.time.Duration;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.memory.InMemoryNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static dev.redlock.Completed.completed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LockDelayTests {

	private static final LockRequest AT_ONCE = LockRequest.of("stock").withWaitFor(Duration.ZERO);

	@RegisterExtension
	final LockWorld world = new LockWorld(5, delayed(Duration.ofSeconds(3)));

	@Test
	void afterALapseNobodyGetsTheLockUntilTheDelayHasPassed() {
		Lease lapsed = this.world.acquire("stock");
		this.world.time.advance(Duration.ofMillis(9_898));
		assertThat(lapsed.isValid()).as("the holder counts the ttl alone").isFalse();
		assertThat(this.world.losses).containsExactly("[stock] EXPIRED");
		this.world.time.advance(Duration.ofMillis(3_101));
		assertThat(completed(this.world.attempt(AT_ONCE)).reason()).contains(Reason.HELD);
		this.world.time.advance(Duration.ofMillis(1));
		assertThat(completed(this.world.attempt(AT_ONCE)).lease()).isPresent();
	}

	@Test
	void afterAReleaseTheNextGetsTheLockAtOnce() {
		this.world.acquire("stock").close();
		assertThat(this.world.heldOn("stock")).isZero();
		assertThat(completed(this.world.attempt(AT_ONCE)).lease()).isPresent();
	}

	@Test
	void aLeaseThatLapsedBeforeAShutdownKeepsItsDelay() {
		this.world.acquire("stock");
		this.world.time.advance(Duration.ofSeconds(11));
		this.world.redlock.close();
		assertLockedUntilTheDelayHasPassed(Duration.ofSeconds(2));
	}

	@Test
	void aLeaseThatLapsedWhileItsMachineWasSuspendedKeepsItsDelayAtShutdown() {
		Lease lapsed = this.world.acquire("stock");
		// No timer of this process has run since the lease lapsed.
		this.world.time.stepWallClock(Duration.ofSeconds(11));
		this.world.redlock.close();
		assertThat(completed(lapsed.lost())).isEqualTo(LossReason.EXPIRED);
		assertLockedUntilTheDelayHasPassed(Duration.ofSeconds(2));
	}

	@Test
	void aHolderThatReleasesWhenTheLockWasOpenedAgainEndsTheDelay() {
		Lease lapsed = this.world.acquire("stock");
		this.world.time.advance(Duration.ofSeconds(11));
		this.world.redlock.close();
		this.world.redlock.open();
		lapsed.close();
		assertThat(this.world.heldOn("stock")).isZero();
	}

	@Test
	void aLeaseThatIsTakenFromWorkAtShutdownKeepsItsDelay() {
		this.world.acquire("stock");
		this.world.redlock.close();
		assertLockedUntilTheDelayHasPassed(Duration.ofSeconds(3));
	}

	@Test
	void anExtendedAndHealedLeaseIsKeptForTheDelayToo() {
		Lease lease = this.world.acquire("stock");
		this.world.nodes.get(0).forget();
		assertThat(lease.extend(Duration.ofSeconds(20))).isTrue();
		assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(20_000 - 200 - 2));
		this.world.time.advance(Duration.ofMillis(22_999));
		assertThat(this.world.heldOn("stock")).isEqualTo(5);
		this.world.time.advance(Duration.ofMillis(1));
		assertThat(this.world.heldOn("stock")).isZero();
	}

	@Test
	void aReleaseIsSentAgainForAsLongAsANodeMayKeepTheLock() {
		Lease lease = this.world.acquire("stock");
		InMemoryNode cutOff = this.world.nodes.get(2);
		cutOff.down();
		lease.close();
		this.world.time.advance(Duration.ofMillis(10_500));
		cutOff.up();
		this.world.time.advance(Duration.ofSeconds(2));
		assertThat(this.world.heldOn("stock")).isZero();
		assertThat(this.world.time.pending()).isZero();
	}

	@Test
	void ttlAndDelayTogetherAreAtMostTheMaxTtl() {
		assertThatIllegalArgumentException().isThrownBy(() -> delayed(Duration.ofSeconds(51))).withMessage("""
				The ttl of 10000 ms plus the lock-delay of 51000 ms is over the max-ttl of 60000 ms. Set on every client

				    redlock.lock-delay=51000ms
				    redlock.max-ttl=61000ms

				or lower redlock.lock-delay, or ask for a shorter ttl.""");
		Redlock redlock = new LockWorld(3, delayed(Duration.ofSeconds(50))).redlock;
		assertThatIllegalArgumentException()
			.isThrownBy(() -> redlock.check(LockRequest.of("stock").withTtl(Duration.ofMillis(10_001))))
			.withMessageContaining("lock-delay");
		Lease lease = this.world.acquire("stock");
		assertThatIllegalArgumentException().isThrownBy(() -> lease.extend(Duration.ofSeconds(58)))
			.withMessageContaining("lock-delay");
	}

	/**
	 * Lets another process ask just before the delay has passed, and then.
	 */
	private void assertLockedUntilTheDelayHasPassed(Duration left) {
		this.world.time.advance(left.minusMillis(1));
		assertThat(completed(this.world.attempt(this.world.other, AT_ONCE)).reason()).contains(Reason.HELD);
		this.world.time.advance(Duration.ofMillis(1));
		assertThat(completed(this.world.attempt(this.world.other, AT_ONCE)).lease()).isPresent();
	}

	private static RedlockSettings delayed(Duration lockDelay) {
		return LockWorld.settings().toBuilder().lockDelay(lockDelay).build();
	}

}

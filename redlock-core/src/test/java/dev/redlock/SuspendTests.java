package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static dev.redlock.Completed.completed;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A machine that is suspended: its monotonic clock stands still, and so do its timers.
 * The wall clock goes on.
 */
class SuspendTests {

	private static final Duration LONG = Duration.ofMinutes(10);

	private static final Duration ASLEEP = Duration.ofMinutes(11);

	private static final Duration A_SECOND = Duration.ofSeconds(1);

	@RegisterExtension
	final LockWorld world = new LockWorld(5, LockWorld.settings().toBuilder().ttl(LONG).maxTtl(LONG).build());

	@Test
	void aHolderIsToldOfItsLossWithinASecondOfWaking() {
		Lease lease = this.world.acquire("stock");
		sleepAndWake();
		assertThat(this.world.losses).containsExactly("[stock] EXPIRED");
		assertThat(lease.lost().toCompletableFuture()).isCompletedWithValue(LossReason.EXPIRED);
	}

	@Test
	void anExtensionThatFindsTheLeaseExpiredTellsTheHolderAtOnce() {
		Lease lease = this.world.acquire("stock");
		this.world.time.stepWallClock(ASLEEP);
		assertThat(lease.extend(LONG)).isFalse();
		assertThat(this.world.losses).containsExactly("[stock] EXPIRED");
	}

	@Test
	void theNextRequestsOfTheProcessDoNotWaitForTheDeadLease() {
		this.world.acquire("stock");
		CompletableFuture<LockAttempt> before = this.world
			.attempt(LockRequest.of("stock").withWaitFor(Duration.ofHours(1)));
		this.world.time.stepWallClock(ASLEEP);
		CompletableFuture<LockAttempt> after = this.world
			.attempt(LockRequest.of("stock").withWaitFor(Duration.ofHours(1)));
		this.world.time.advance(A_SECOND);
		assertThat(before).isCompleted();
		completed(before).orThrow().close();
		assertThat(after).isCompleted();
		assertThat(completed(after).lease()).isPresent();
	}

	@Test
	void aLeaseThatIsStillValidOnWakingStaysValidToItsEnd() {
		Lease lease = this.world.acquire("stock");
		this.world.time.stepWallClock(Duration.ofMinutes(5));
		this.world.time.advance(A_SECOND);
		assertThat(lease.isValid()).isTrue();
		Duration left = lease.remaining();
		this.world.time.advance(left.minusNanos(1));
		assertThat(this.world.losses).isEmpty();
		this.world.time.advance(Duration.ofNanos(1));
		assertThat(this.world.losses).containsExactly("[stock] EXPIRED");
	}

	@Test
	void noTimerIsLeftOnceNoLeaseIsHeld() {
		List<Lease> leases = List.of(this.world.acquire("a"), this.world.acquire("b"), this.world.acquire("c"));
		assertThat(this.world.time.pending()).as("one timer watches all leases").isOne();
		this.world.time.advance(Duration.ofMinutes(5));
		leases.forEach(Lease::close);
		assertThat(this.world.time.pending()).isZero();
	}

	private void sleepAndWake() {
		this.world.time.stepWallClock(ASLEEP);
		this.world.time.advance(A_SECOND);
	}

}

package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

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

	private final RedlockFixture fixture = new RedlockFixture(5,
			RedlockFixture.settings().toBuilder().ttl(LONG).maxTtl(LONG).build());

	@Test
	void aHolderIsToldOfItsLossWithinASecondOfWaking() {
		Lease lease = this.fixture.acquire("stock");
		sleepAndWake();
		assertThat(this.fixture.losses).containsExactly("[stock] EXPIRED");
		assertThat(lease.lost().toCompletableFuture()).isCompletedWithValue(LossReason.EXPIRED);
	}

	@Test
	void eachHolderIsToldAlsoAfterASecondSuspension() {
		this.fixture.acquire("first");
		sleepAndWake();
		this.fixture.acquire("second");
		this.fixture.acquire("third");
		this.fixture.time.advance(Duration.ofMinutes(3));
		sleepAndWake();
		assertThat(this.fixture.losses).containsExactlyInAnyOrder("[first] EXPIRED", "[second] EXPIRED",
				"[third] EXPIRED");
	}

	@Test
	void aHolderWhoseLeaseIsRenewedIsToldOfItsLossWithinASecondOfWaking() {
		this.fixture.acquire(LockRequest.of("stock").withRenew(true));
		sleepAndWake();
		assertThat(this.fixture.losses).containsExactly("[stock] EXPIRED");
	}

	@Test
	void anExtensionThatFindsTheLeaseExpiredTellsTheHolderAtOnce() {
		Lease lease = this.fixture.acquire("stock");
		this.fixture.time.stepWallClock(ASLEEP);
		assertThat(lease.extend(LONG)).isFalse();
		assertThat(this.fixture.losses).containsExactly("[stock] EXPIRED");
	}

	@Test
	void theNextRequestsOfTheProcessDoNotWaitForTheDeadLease() {
		this.fixture.acquire("stock");
		CompletableFuture<LockAttempt> before = this.fixture
			.attempt(LockRequest.of("stock").withWaitFor(Duration.ofHours(1)));
		this.fixture.time.stepWallClock(ASLEEP);
		CompletableFuture<LockAttempt> after = this.fixture
			.attempt(LockRequest.of("stock").withWaitFor(Duration.ofHours(1)));
		this.fixture.time.advance(A_SECOND);
		assertThat(before).isCompleted();
		completed(before).orThrow().close();
		assertThat(after).isCompleted();
		assertThat(completed(after).lease()).isPresent();
	}

	@Test
	void aLeaseThatIsStillValidOnWakingStaysValidToItsEnd() {
		Lease lease = this.fixture.acquire("stock");
		this.fixture.time.stepWallClock(Duration.ofMinutes(5));
		this.fixture.time.advance(A_SECOND);
		assertThat(lease.isValid()).isTrue();
		Duration left = lease.remaining();
		this.fixture.time.advance(left.minusNanos(1));
		assertThat(this.fixture.losses).isEmpty();
		this.fixture.time.advance(Duration.ofNanos(1));
		assertThat(this.fixture.losses).containsExactly("[stock] EXPIRED");
	}

	@Test
	void noTimerIsLeftOnceNoLeaseIsHeld() {
		List<Lease> leases = List.of(this.fixture.acquire("a"), this.fixture.acquire("b"), this.fixture.acquire("c"));
		assertThat(this.fixture.time.pending()).as("one timer watches all leases").isOne();
		this.fixture.time.advance(Duration.ofMinutes(5));
		leases.forEach(Lease::close);
		assertThat(this.fixture.time.pending()).isZero();
	}

	private void sleepAndWake() {
		this.fixture.time.stepWallClock(ASLEEP);
		this.fixture.time.advance(A_SECOND);
	}

}

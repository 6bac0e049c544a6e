package dev.redlock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.redlock.internal.Internals;
import dev.redlock.memory.InMemoryNode;
import org.junit.jupiter.api.Test;

import static dev.redlock.Completed.completed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class LeaseTests {

	private final RedlockFixture fixture = new RedlockFixture(5);

	@Test
	void aLeaseIsLostByTheClockAloneAndItsHolderIsTold() {
		Lease lease = this.fixture.acquire("stock");
		this.fixture.time.advance(Duration.ofMillis(9_897));
		assertThat(lease.isValid()).isTrue();
		assertThat(this.fixture.losses).isEmpty();
		this.fixture.time.advance(Duration.ofMillis(1));
		assertThat(lease.isValid()).isFalse();
		assertThat(lease.lost().toCompletableFuture()).isCompletedWithValue(LossReason.EXPIRED);
		assertThat(this.fixture.losses).containsExactly("[stock] EXPIRED");
		assertThat(this.fixture.heldOn("stock")).as("the nodes still hold it when the holder is told").isEqualTo(5);
	}

	@Test
	void aSuspendedMachineFindsItsLeaseLost() {
		Lease lease = this.fixture.acquire("stock");
		this.fixture.time.stepWallClock(Duration.ofMinutes(1));
		assertThat(lease.isValid()).isFalse();
	}

	@Test
	void aLeaseThatExpiredWhileTheMachineWasSuspendedIsLostEvenIfItIsClosedAtOnce() {
		Lease lease = this.fixture.acquire("stock");
		this.fixture.time.stepWallClock(Duration.ofMinutes(1));
		lease.close();
		assertThat(lease.lost().toCompletableFuture()).isCompletedWithValue(LossReason.EXPIRED);
		assertThat(this.fixture.losses).containsExactly("[stock] EXPIRED");
	}

	@Test
	void aBackwardStepOfTheWallClockChangesNothing() {
		Lease lease = this.fixture.acquire("stock");
		this.fixture.time.stepWallClock(Duration.ofMinutes(-1));
		this.fixture.time.advance(Duration.ofSeconds(9));
		assertThat(lease.isValid()).isTrue();
		this.fixture.time.advance(Duration.ofSeconds(1));
		assertThat(lease.isValid()).isFalse();
	}

	@Test
	void aLeaseThatWasReleasedInTimeIsNeverLost() {
		Lease lease = this.fixture.acquire("stock");
		lease.close();
		this.fixture.time.advance(Duration.ofMinutes(1));
		assertThat(lease.lost().toCompletableFuture()).isNotDone();
		assertThat(this.fixture.losses).isEmpty();
		assertThat(this.fixture.time.pending()).isZero();
	}

	@Test
	void closingALostLeaseStillReleasesItEverywhere() {
		Lease lease = this.fixture.acquire("stock");
		this.fixture.time.advance(Duration.ofMillis(9_900));
		lease.close();
		assertThat(this.fixture.heldOn("stock")).isZero();
		assertThat(completed(lease.releaseAsync()).wasValid()).isFalse();
	}

	@Test
	void closingTwiceReleasesOnce() {
		Lease lease = this.fixture.acquire("stock");
		lease.close();
		Lease next = this.fixture.acquire("stock");
		lease.close();
		assertThat(next.isValid()).isTrue();
		assertThat(this.fixture.heldOn("stock")).isEqualTo(5);
	}

	@Test
	void extensionByAMajorityProlongsTheValidity() {
		Lease lease = this.fixture.acquire("stock");
		this.fixture.time.advance(Duration.ofSeconds(9));
		this.fixture.nodes.get(0).down();
		this.fixture.nodes.get(1).down();
		assertThat(lease.extend(Duration.ofSeconds(20))).isTrue();
		assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(20_000 - 200 - 2));
		this.fixture.time.advance(Duration.ofSeconds(15));
		assertThat(lease.isValid()).isTrue();
		assertThat(this.fixture.losses).isEmpty();
		this.fixture.time.advance(Duration.ofSeconds(5));
		assertThat(this.fixture.losses).containsExactly("[stock] EXPIRED");
	}

	@Test
	void extensionNeverShortens() {
		Lease lease = this.fixture.acquire("stock");
		assertThat(lease.extend(Duration.ofSeconds(1))).isTrue();
		assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(9_898));
	}

	@Test
	void aFailedExtensionLeavesTheOldValidity() {
		Lease lease = this.fixture.acquire("stock");
		this.fixture.nodes.forEach(InMemoryNode::down);
		assertThat(lease.extend(Duration.ofSeconds(20))).isFalse();
		assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(9_898));
		this.fixture.time.advance(Duration.ofSeconds(9));
		assertThat(lease.isValid()).isTrue();
	}

	@Test
	void anAnswerThatComesAfterTheOldValidityIsNoExtension() {
		RedlockFixture patient = new RedlockFixture(3,
				RedlockFixture.settings().toBuilder().nodeTimeout(Duration.ofSeconds(5)).build());
		Lease lease = patient.acquire("stock");
		patient.time.advance(Duration.ofSeconds(9));
		patient.nodes.forEach(InMemoryNode::freeze);
		CompletableFuture<Boolean> extended = lease.extendAsync(Duration.ofSeconds(20)).toCompletableFuture();
		patient.time.advance(Duration.ofMillis(950));
		patient.nodes.forEach(InMemoryNode::up);
		assertThat(extended).isCompletedWithValue(false);
		assertThat(lease.isValid()).isFalse();
	}

	@Test
	void aMajorityThatForgotTheLeaseEndsItAtOnce() {
		Lease lease = this.fixture.acquire("stock");
		for (int i = 0; i < 3; i++) {
			this.fixture.nodes.get(i).forget();
		}
		assertThat(lease.extend(Duration.ofSeconds(10))).isFalse();
		assertThat(lease.isValid()).isFalse();
		assertThat(this.fixture.losses).containsExactly("[stock] REFUSED");
		assertThat(this.fixture.heldOn("stock")).as("nothing is restored after a lapse").isEqualTo(2);
	}

	@Test
	void aMinorityThatForgotTheLeaseIsHealedByAnExtension() {
		Lease lease = this.fixture.acquire("stock");
		this.fixture.nodes.get(0).forget();
		this.fixture.nodes.get(1).forget();
		assertThat(lease.extend(Duration.ofSeconds(10))).isTrue();
		assertThat(this.fixture.heldOn("stock")).isEqualTo(5);
		lease.close();
		assertThat(this.fixture.heldOn("stock")).isZero();
	}

	@Test
	void aReleaseGoesOutBehindAnExtensionUnderWay() {
		Lease lease = this.fixture.acquire("stock");
		this.fixture.nodes.forEach(InMemoryNode::freeze);
		CompletableFuture<Boolean> extended = lease.extendAsync(Duration.ofSeconds(20)).toCompletableFuture();
		lease.close();
		this.fixture.nodes.forEach(InMemoryNode::up);
		assertThat(extended).isDone();
		assertThat(lease.isValid()).isFalse();
		assertThat(this.fixture.heldOn("stock")).isZero();
		assertThat(this.fixture.time.pending()).isZero();
	}

	@Test
	void aReleasedLeaseCannotBeExtended() {
		Lease lease = this.fixture.acquire("stock");
		lease.close();
		assertThat(lease.extend(Duration.ofSeconds(10))).isFalse();
		assertThat(this.fixture.heldOn("stock")).isZero();
	}

	@Test
	void anExtensionOverTheMaxTtlIsRefused() {
		Lease lease = this.fixture.acquire("stock");
		assertThatIllegalArgumentException().isThrownBy(() -> lease.extend(Duration.ofMinutes(5)))
			.withMessageContaining("max-ttl");
	}

	@Test
	void atLeastKeepsTheLockAfterAnEarlyRelease() {
		Lease lease = this.fixture.acquire(LockRequest.of("job").withAtLeast(Duration.ofSeconds(4)));
		this.fixture.time.advance(Duration.ofSeconds(1));
		lease.close();
		assertThat(lease.isValid()).isFalse();
		this.fixture.time.advance(Duration.ofMillis(2_999));
		assertThat(this.fixture.heldOn("job")).isEqualTo(5);
		this.fixture.time.advance(Duration.ofMillis(1));
		assertThat(this.fixture.heldOn("job")).isZero();
	}

	@Test
	void atLeastThatHasPassedReleasesAtOnce() {
		Lease lease = this.fixture.acquire(LockRequest.of("job").withAtLeast(Duration.ofSeconds(4)));
		this.fixture.time.advance(Duration.ofSeconds(5));
		lease.close();
		assertThat(this.fixture.heldOn("job")).isZero();
	}

	@Test
	void aReleaseThatANodeDidNotTakeIsSentAgainUntilItDoes() {
		Lease lease = this.fixture.acquire("stock");
		this.fixture.nodes.get(2).down();
		lease.close();
		this.fixture.time.advance(Duration.ofSeconds(1));
		assertThat(this.fixture.heldOn("stock")).isEqualTo(1);
		this.fixture.nodes.get(2).up();
		this.fixture.time.advance(Duration.ofSeconds(2));
		assertThat(this.fixture.heldOn("stock")).isZero();
		assertThat(this.fixture.time.pending()).isZero();
	}

	@Test
	void aReleaseIsNotSentAgainAfterTheTtl() {
		Lease lease = this.fixture.acquire("stock");
		this.fixture.nodes.get(2).down();
		lease.close();
		this.fixture.time.advance(Duration.ofSeconds(15));
		assertThat(this.fixture.time.pending()).isZero();
	}

	@Test
	void aLeaseWithoutFencingSaysSo() {
		RedlockFixture plain = new RedlockFixture(3, RedlockFixture.settings().toBuilder().fencing(false).build());
		Lease lease = plain.acquire("stock");
		assertThatIllegalStateException().isThrownBy(lease::fence).withMessageContaining("redlock.fencing.enabled");
	}

	@Test
	void aLeaseDoesNotShowItsToken() {
		Lease lease = this.fixture.acquire("stock");
		assertThat(lease.toString()).contains("stock").doesNotContain(Internals.token(lease).substring(0, 10));
	}

}

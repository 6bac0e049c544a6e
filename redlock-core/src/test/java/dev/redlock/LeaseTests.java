package dev.redlock;

import java.lang.Thread.State;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.redlock.LockWorld.Answers;
import dev.redlock.internal.client.Internals;
import dev.redlock.memory.InMemoryNode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.redlock.Completed.ended;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@ParameterizedClass
@EnumSource
class LeaseTests {

	@RegisterExtension
	final LockWorld world;

	LeaseTests(Answers answers) {
		this.world = new LockWorld(5, answers);
	}

	@Test
	void aLeaseIsLostByTheClockAloneAndItsHolderIsTold() {
		Lease lease = this.world.acquire("stock");
		this.world.time.advance(Duration.ofMillis(9_897).minus(this.world.roundTrip()));
		assertThat(lease.isValid()).isTrue();
		assertThat(this.world.losses).isEmpty();
		this.world.time.advance(Duration.ofMillis(1));
		assertThat(lease.isValid()).isFalse();
		assertThat(lease.lost().toCompletableFuture()).isCompletedWithValue(LossReason.EXPIRED);
		assertThat(this.world.losses).containsExactly("[stock] EXPIRED");
		assertThat(this.world.heldOn("stock")).as("the nodes still hold it when the holder is told").isEqualTo(5);
	}

	@Test
	void aSuspendedMachineFindsItsLeaseLost() {
		Lease lease = this.world.acquire("stock");
		this.world.time.stepWallClock(Duration.ofMinutes(1));
		assertThat(lease.isValid()).isFalse();
	}

	@Test
	void aLeaseThatExpiredWhileTheMachineWasSuspendedIsLostEvenIfItIsClosedAtOnce() {
		Lease lease = this.world.acquire("stock");
		this.world.time.stepWallClock(Duration.ofMinutes(1));
		lease.close();
		assertThat(lease.lost().toCompletableFuture()).isCompletedWithValue(LossReason.EXPIRED);
		assertThat(this.world.losses).containsExactly("[stock] EXPIRED");
	}

	@Test
	void aBackwardStepOfTheWallClockChangesNothing() {
		Lease lease = this.world.acquire("stock");
		this.world.time.stepWallClock(Duration.ofMinutes(-1));
		this.world.time.advance(Duration.ofSeconds(9));
		assertThat(lease.isValid()).isTrue();
		this.world.time.advance(Duration.ofSeconds(1));
		assertThat(lease.isValid()).isFalse();
	}

	@Test
	void aLeaseThatWasReleasedInTimeIsNeverLost() {
		Lease lease = this.world.acquire("stock");
		lease.close();
		this.world.time.advance(Duration.ofMinutes(1));
		assertThat(lease.lost().toCompletableFuture()).isNotDone();
		assertThat(this.world.losses).isEmpty();
		assertThat(this.world.time.pending()).isZero();
	}

	@Test
	void closingALostLeaseStillReleasesItEverywhere() {
		Lease lease = this.world.acquire("stock");
		this.world.time.advance(Duration.ofMillis(9_900));
		lease.close();
		assertThat(this.world.heldOn("stock")).isZero();
		assertThat(this.world.answered(lease.releaseAsync()).wasValid()).isFalse();
	}

	@Test
	void closingTwiceReleasesOnce() {
		Lease lease = this.world.acquire("stock");
		lease.close();
		Lease next = this.world.acquire("stock");
		lease.close();
		assertThat(next.isValid()).isTrue();
		assertThat(this.world.heldOn("stock")).isEqualTo(5);
	}

	@Test
	void extensionByAMajorityProlongsTheValidity() {
		Lease lease = this.world.acquire("stock");
		this.world.time.advance(Duration.ofSeconds(9));
		this.world.nodes.get(0).down();
		this.world.nodes.get(1).down();
		assertThat(this.world.extend(lease, Duration.ofSeconds(20))).isTrue();
		assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(20_000 - 200 - 2).minus(this.world.roundTrip()));
		this.world.time.advance(Duration.ofSeconds(15));
		assertThat(lease.isValid()).isTrue();
		assertThat(this.world.losses).isEmpty();
		this.world.time.advance(Duration.ofSeconds(5));
		assertThat(this.world.losses).containsExactly("[stock] EXPIRED");
	}

	@Test
	void extensionNeverShortens() {
		Lease lease = this.world.acquire("stock");
		Duration before = lease.remaining();
		assertThat(this.world.extend(lease, Duration.ofSeconds(1))).isTrue();
		assertThat(lease.remaining()).isEqualTo(before.minus(this.world.roundTrip()));
	}

	@Test
	void aFailedExtensionLeavesTheOldValidity() {
		Lease lease = this.world.acquire("stock");
		this.world.nodes.forEach(InMemoryNode::down);
		Duration before = lease.remaining();
		assertThat(this.world.extend(lease, Duration.ofSeconds(20))).isFalse();
		assertThat(lease.remaining()).isEqualTo(before.minus(this.world.roundTrip()));
		this.world.time.advance(Duration.ofSeconds(9));
		assertThat(lease.isValid()).isTrue();
	}

	@Test
	void anAnswerThatComesAfterTheOldValidityIsNoExtension() {
		LockWorld patient = new LockWorld(3,
				LockWorld.settings().toBuilder().nodeTimeout(Duration.ofSeconds(5)).build());
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
		Lease lease = this.world.acquire("stock");
		for (int i = 0; i < 3; i++) {
			this.world.nodes.get(i).forget();
		}
		assertThat(this.world.extend(lease, Duration.ofSeconds(10))).isFalse();
		assertThat(lease.isValid()).isFalse();
		assertThat(this.world.losses).containsExactly("[stock] REFUSED");
		assertThat(this.world.heldOn("stock")).as("nothing is restored after a lapse").isEqualTo(2);
	}

	@Test
	void aMinorityThatForgotTheLeaseIsHealedByAnExtension() {
		Lease lease = this.world.acquire("stock");
		this.world.nodes.get(0).forget();
		this.world.nodes.get(1).forget();
		assertThat(this.world.extend(lease, Duration.ofSeconds(10))).isTrue();
		assertThat(this.world.heldOn("stock")).isEqualTo(5);
		lease.close();
		assertThat(this.world.heldOn("stock")).isZero();
	}

	@Test
	void aReleaseGoesOutBehindAnExtensionUnderWay() {
		Lease lease = this.world.acquire("stock");
		this.world.nodes.forEach(InMemoryNode::freeze);
		CompletableFuture<Boolean> extended = lease.extendAsync(Duration.ofSeconds(20)).toCompletableFuture();
		lease.close();
		this.world.nodes.forEach(InMemoryNode::up);
		this.world.answered(extended);
		assertThat(lease.isValid()).isFalse();
		assertThat(this.world.heldOn("stock")).isZero();
		assertThat(this.world.time.pending()).isZero();
	}

	@Test
	void aReleasedLeaseCannotBeExtended() {
		Lease lease = this.world.acquire("stock");
		lease.close();
		assertThat(this.world.extend(lease, Duration.ofSeconds(10))).isFalse();
		assertThat(this.world.heldOn("stock")).isZero();
	}

	@Test
	void anExtensionOverTheMaxTtlIsRefused() {
		Lease lease = this.world.acquire("stock");
		assertThatIllegalArgumentException().isThrownBy(() -> this.world.extend(lease, Duration.ofMinutes(5)))
			.withMessageContaining("max-ttl");
	}

	@Test
	void atLeastKeepsTheLockAfterAnEarlyRelease() {
		Lease lease = this.world.acquire(LockRequest.of("job").withAtLeast(Duration.ofSeconds(4)));
		this.world.time.advance(Duration.ofSeconds(1));
		lease.close();
		assertThat(lease.isValid()).isFalse();
		Duration underWay = this.world.roundTrip().multipliedBy(2);
		this.world.time.advance(Duration.ofMillis(2_999).minus(underWay));
		assertThat(this.world.heldOn("job")).isEqualTo(5);
		this.world.time.advance(underWay.plusMillis(1));
		assertThat(this.world.heldOn("job")).isZero();
	}

	@Test
	void atLeastKeepsTheLockAfterAForwardStepOfTheWallClock() {
		Lease lease = this.world.acquire(LockRequest.of("job").withAtLeast(Duration.ofSeconds(4)));
		this.world.time.stepWallClock(Duration.ofSeconds(5));
		lease.close();
		this.world.time.advance(Duration.ofSeconds(3));
		assertThat(this.world.heldOn("job")).isEqualTo(5);
	}

	@Test
	void atLeastThatHasPassedReleasesAtOnce() {
		Lease lease = this.world.acquire(LockRequest.of("job").withAtLeast(Duration.ofSeconds(4)));
		this.world.time.advance(Duration.ofSeconds(5));
		lease.close();
		assertThat(this.world.heldOn("job")).isZero();
	}

	@Test
	void aLeaseWithoutFencingSaysSo() {
		LockWorld plain = new LockWorld(3, LockWorld.settings().toBuilder().fencing(false).build());
		Lease lease = plain.acquire("stock");
		assertThatIllegalStateException().isThrownBy(lease::fence).withMessageContaining("redlock.fencing.enabled");
	}

	@Test
	void aLeaseDoesNotShowItsToken() {
		Lease lease = this.world.acquire("stock");
		assertThat(lease.toString()).contains("stock").doesNotContain(Internals.token(lease).substring(0, 10));
	}

	@Test
	void aFailedReleaseOfALeaseThatWasExtendedFurtherThanItsTtlIsSentAgain() {
		Lease lease = this.world.acquire("stock");
		assertThat(this.world.extend(lease, Duration.ofSeconds(60))).isTrue();
		this.world.time.advance(Duration.ofSeconds(30));
		assertReleasedAgain(lease, this.world.nodes.get(2));
	}

	@Test
	void aFailedReleaseOfAHealedLeaseIsSentAgain() {
		InMemoryNode healed = this.world.nodes.get(2);
		healed.down();
		Lease lease = this.world.acquire("stock");
		healed.up();
		assertThat(this.world.extend(lease, Duration.ofSeconds(10))).isTrue();
		assertThat(this.world.heldOn("stock")).isEqualTo(5);
		assertReleasedAgain(lease, healed);
	}

	@Test
	void closingWaitsForAMajorityIfTheSettingsSaySo() throws InterruptedException {
		RedlockSettings awaiting = LockWorld.settings()
			.toBuilder()
			.ttl(Duration.ofSeconds(60))
			.nodeTimeout(Duration.ofSeconds(20))
			.awaitRelease(true)
			.build();
		Lease lease = this.world.acquire(this.world.another(awaiting, 3), LockRequest.of("stock"));
		this.world.nodes.forEach(InMemoryNode::freeze);
		Thread closing = new Thread(lease::close);
		closing.start();
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(closing::getState, (state) -> state == State.TIMED_WAITING || state == State.TERMINATED);
		assertThat(closing.getState()).isEqualTo(State.TIMED_WAITING);
		this.world.nodes.forEach(InMemoryNode::up);
		this.world.answers();
		ended(closing);
		assertThat(this.world.heldOn("stock")).isZero();
	}

	private void assertReleasedAgain(Lease lease, InMemoryNode failing) {
		failing.down();
		lease.close();
		this.world.time.advance(Duration.ofSeconds(1));
		failing.up();
		assertThat(failing.tokens()).isNotEmpty();
		this.world.time.advance(Duration.ofSeconds(2));
		assertThat(failing.tokens()).isEmpty();
	}

}

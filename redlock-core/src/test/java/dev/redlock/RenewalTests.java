package dev.redlock;

import java.time.Duration;

import dev.redlock.memory.InMemoryNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static dev.redlock.Completed.ended;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RenewalTests {

	private static final Duration LONG = Duration.ofMinutes(10);

	@RegisterExtension
	final LockWorld world = new LockWorld(5, LockWorld.renewing(LONG));

	@Test
	void aRenewedLeaseOutlivesItsTtlAndEndsWithItsRelease() {
		Lease lease = this.world.acquire("stock");
		this.world.time.advance(Duration.ofMinutes(2));
		assertThat(lease.isValid()).isTrue();
		assertThat(this.world.heldOn("stock")).isEqualTo(5);
		lease.close();
		assertThat(this.world.heldOn("stock")).isZero();
		assertThat(this.world.time.pending()).isZero();
	}

	@Test
	void renewalStopsAtTheTotalHoldTimeAndTheLossIsTold() {
		Redlock redlock = this.world.another(LockWorld.renewing(Duration.ofSeconds(30)), 3);
		Lease lease = this.world.acquire(redlock, LockRequest.of("stock"));
		this.world.time.advance(Duration.ofSeconds(30));
		assertThat(lease.isValid()).isTrue();
		this.world.time.advance(Duration.ofSeconds(14));
		assertThat(lease.isValid()).isFalse();
		assertThat(this.world.losses).containsExactly("[stock] RENEWAL_LIMIT");
	}

	@Test
	void oneUnansweredRoundIsNotALoss() {
		Lease lease = this.world.acquire("stock");
		this.world.nodes.forEach(InMemoryNode::freeze);
		this.world.time.advance(Duration.ofSeconds(6));
		assertThat(lease.isValid()).isTrue();
		this.world.nodes.forEach(InMemoryNode::up);
		this.world.time.advance(Duration.ofMinutes(1));
		assertThat(lease.isValid()).isTrue();
		assertThat(this.world.losses).isEmpty();
	}

	@Test
	void renewalThatNeverSucceedsEndsWithTheValidity() {
		Lease lease = this.world.acquire("stock");
		this.world.nodes.forEach(InMemoryNode::down);
		this.world.time.advance(Duration.ofMillis(9_898));
		assertThat(lease.isValid()).isFalse();
		assertThat(this.world.losses).containsExactly("[stock] EXPIRED");
		this.world.time.advance(Duration.ofMinutes(1));
		assertThat(this.world.time.pending()).as("no timer outlives the lease").isZero();
	}

	@Test
	void renewalHealsNodesThatRestartedEmptyOneAfterTheOther() {
		Lease lease = this.world.acquire("stock");
		for (InMemoryNode node : this.world.nodes) {
			node.forget();
			this.world.time.advance(Duration.ofSeconds(4));
		}
		assertThat(lease.isValid()).isTrue();
		assertThat(this.world.heldOn("stock")).isEqualTo(5);
	}

	@Test
	void renewalStopsWhenTheOwningThreadHasEnded() throws InterruptedException {
		Lease[] lease = new Lease[1];
		Thread owner = new Thread(
				() -> lease[0] = this.world.redlock.attemptAndWait(LockRequest.of("stock")).orThrow());
		owner.start();
		ended(owner);
		this.world.time.advance(Duration.ofSeconds(10));
		assertThat(lease[0].isValid()).isFalse();
		assertThat(this.world.losses).containsExactly("[stock] OWNER_GONE");
	}

	@Test
	void aLeaseInScopeIsRenewedAfterItsThreadHasEnded() throws InterruptedException {
		Lease[] lease = new Lease[1];
		Thread thread = new Thread(
				() -> lease[0] = this.world.redlock.attemptInScope(LockRequest.of("stock")).orThrow());
		thread.start();
		ended(thread);
		this.world.time.advance(Duration.ofMinutes(1));
		assertThat(lease[0].isValid()).isTrue();
	}

	@Test
	void aLimitToRenewalWithoutRenewalIsRefusedByTheCheck() {
		Redlock redlock = this.world.another(LockWorld.settings(), 3);
		LockRequest limited = LockRequest.of("stock").withMaxHold(Duration.ofHours(2));
		assertThatIllegalArgumentException().isThrownBy(() -> redlock.check(limited))
			.withMessageContaining("maxHold of 7200000 ms limits renewal, but the lease is not renewed")
			.withMessageContaining("ends with its ttl of 10000 ms")
			.withMessageContaining("renew = RedLock.Renew.ON");
		redlock.check(limited.withRenew(true));
	}

	@Test
	void aLeaseThatIsExtendedByHandIsHeldForTheLimitOfItsRequestAtMost() {
		Redlock redlock = this.world.another(LockWorld.settings(), 3);
		Lease lease = this.world.acquire(redlock, LockRequest.of("stock").withMaxHold(Duration.ofSeconds(30)));
		this.world.time.advance(Duration.ofSeconds(9));
		assertThat(this.world.extend(lease, Duration.ofSeconds(12))).isTrue();
		this.world.time.advance(Duration.ofSeconds(11));
		assertThat(this.world.extend(lease, Duration.ofSeconds(12))).isFalse();
		assertThat(this.world.extend(lease, Duration.ofSeconds(10))).isTrue();
		this.world.time.advance(Duration.ofSeconds(10));
		assertThat(lease.isValid()).isFalse();
		assertThat(this.world.losses).containsExactly("[stock] RENEWAL_LIMIT");
	}

	@Test
	void aRefusedExtensionIsNotTheReasonWhyALeaseThatIsStillRenewedIsLostLater() {
		LockRequest limited = LockRequest.of("stock").withMaxHold(Duration.ofSeconds(20));
		Lease lease = this.world.acquire(this.world.redlock, limited);
		this.world.time.advance(Duration.ofSeconds(9));
		assertThat(this.world.extend(lease, Duration.ofSeconds(12))).isFalse();
		this.world.nodes.forEach(InMemoryNode::down);
		this.world.time.advance(Duration.ofSeconds(10));
		assertThat(lease.isValid()).isFalse();
		assertThat(this.world.losses).containsExactly("[stock] EXPIRED");
	}

	@Test
	void theDefaultLimitToRenewalDoesNotLimitALeaseThatIsExtendedByHand() {
		RedlockSettings limited = LockWorld.settings().toBuilder().maxHold(Duration.ofSeconds(30)).build();
		Lease lease = this.world.acquire(this.world.another(limited, 3), LockRequest.of("stock"));
		for (int i = 0; i < 10; i++) {
			this.world.time.advance(Duration.ofSeconds(9));
			assertThat(this.world.extend(lease, Duration.ofSeconds(10))).isTrue();
		}
	}

	@Test
	void renewalForEverIsAsLongAsAnybodyWaits() {
		Redlock redlock = this.world.another(LockWorld.settings(), 3);
		Lease lease = this.world.acquire(redlock,
				LockRequest.of("stock").withRenew(true).withMaxHold(Duration.ofSeconds(Long.MAX_VALUE)));
		this.world.time.advance(Duration.ofMinutes(2));
		assertThat(lease.isValid()).isTrue();
	}

	@Test
	void aRequestMayAskForRenewalByItself() {
		Redlock redlock = this.world.another(LockWorld.settings(), 3);
		Lease renewed = this.world.acquire(redlock, LockRequest.of("a").withRenew(true));
		Lease plain = this.world.acquire(redlock, LockRequest.of("b"));
		this.world.time.advance(Duration.ofSeconds(30));
		assertThat(renewed.isValid()).isTrue();
		assertThat(plain.isValid()).isFalse();
	}

}

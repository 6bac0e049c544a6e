package dev.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import dev.redlock.memory.InMemoryNode;
import org.junit.jupiter.api.Test;

import static dev.redlock.Completed.ended;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RenewalTests {

	private static final Duration LONG = Duration.ofMinutes(10);

	private static final long MILLISECOND = 1_000_000;

	@Test
	void aRenewedLeaseOutlivesItsTtlAndEndsWithItsRelease() {
		RedlockFixture fixture = new RedlockFixture(5, RedlockFixture.renewing(LONG, 1000));
		Lease lease = fixture.acquire("stock");
		fixture.time.advance(Duration.ofMinutes(2));
		assertThat(lease.isValid()).isTrue();
		assertThat(fixture.heldOn("stock")).isEqualTo(5);
		lease.close();
		assertThat(fixture.heldOn("stock")).isZero();
		assertThat(fixture.time.pending()).isZero();
	}

	@Test
	void renewalStopsAtTheTotalHoldTimeAndTheLossIsTold() {
		RedlockFixture fixture = new RedlockFixture(5, RedlockFixture.renewing(Duration.ofSeconds(30), 1000));
		Lease lease = fixture.acquire("stock");
		fixture.time.advance(Duration.ofSeconds(30));
		assertThat(lease.isValid()).isTrue();
		fixture.time.advance(Duration.ofSeconds(14));
		assertThat(lease.isValid()).isFalse();
		assertThat(fixture.losses).containsExactly("[stock] RENEWAL_LIMIT");
	}

	@Test
	void renewalStopsAtTheNumberOfExtensions() {
		RedlockFixture fixture = new RedlockFixture(5, RedlockFixture.renewing(LONG, 2));
		fixture.acquire("stock");
		fixture.time.advance(Duration.ofSeconds(20));
		assertThat(fixture.losses).containsExactly("[stock] RENEWAL_LIMIT");
	}

	@Test
	void renewalsOfManyLeasesMeetAtStepsOfTenMilliseconds() {
		RedlockFixture fixture = new RedlockFixture(5, RedlockFixture.renewing(LONG, 1000));
		List<Lease> leases = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			leases.add(fixture.acquire("stock:" + i));
			fixture.time.advance(Duration.ofNanos(12_345_678));
		}
		fixture.time.advance(Duration.ofNanos(MILLISECOND - Math.floorMod(fixture.time.nanoTime(), MILLISECOND)));
		Set<Lease> renewed = new HashSet<>();
		for (int i = 0; i < 4_000; i++) {
			Map<Lease, Duration> before = leases.stream().collect(Collectors.toMap((lease) -> lease, Lease::remaining));
			fixture.time.advance(Duration.ofNanos(MILLISECOND));
			before.forEach((lease, remaining) -> {
				if (lease.remaining().compareTo(remaining) > 0) {
					assertThat(fixture.time.nanoTime() % (10 * MILLISECOND)).isZero();
					renewed.add(lease);
				}
			});
		}
		assertThat(renewed).hasSize(20);
	}

	@Test
	void oneUnansweredRoundIsNotALoss() {
		RedlockFixture fixture = new RedlockFixture(5, RedlockFixture.renewing(LONG, 1000));
		Lease lease = fixture.acquire("stock");
		fixture.nodes.forEach(InMemoryNode::freeze);
		fixture.time.advance(Duration.ofSeconds(6));
		assertThat(lease.isValid()).isTrue();
		fixture.nodes.forEach(InMemoryNode::up);
		fixture.time.advance(Duration.ofMinutes(1));
		assertThat(lease.isValid()).isTrue();
		assertThat(fixture.losses).isEmpty();
	}

	@Test
	void renewalThatNeverSucceedsEndsWithTheValidity() {
		RedlockFixture fixture = new RedlockFixture(5, RedlockFixture.renewing(LONG, 1000));
		Lease lease = fixture.acquire("stock");
		fixture.nodes.forEach(InMemoryNode::down);
		fixture.time.advance(Duration.ofMillis(9_898));
		assertThat(lease.isValid()).isFalse();
		assertThat(fixture.losses).containsExactly("[stock] EXPIRED");
		fixture.time.advance(Duration.ofMinutes(1));
		assertThat(fixture.time.pending()).as("no timer outlives the lease").isZero();
	}

	@Test
	void renewalHealsNodesThatRestartedEmptyOneAfterTheOther() {
		RedlockFixture fixture = new RedlockFixture(5, RedlockFixture.renewing(LONG, 1000));
		Lease lease = fixture.acquire("stock");
		for (InMemoryNode node : fixture.nodes) {
			node.forget();
			fixture.time.advance(Duration.ofSeconds(4));
		}
		assertThat(lease.isValid()).isTrue();
		assertThat(fixture.heldOn("stock")).isEqualTo(5);
	}

	@Test
	void renewalStopsWhenTheOwningThreadHasEnded() throws InterruptedException {
		RedlockFixture fixture = new RedlockFixture(5, RedlockFixture.renewing(LONG, 1000));
		Lease[] lease = new Lease[1];
		Thread owner = new Thread(() -> lease[0] = fixture.redlock.attemptAndWait(LockRequest.of("stock")).orThrow());
		owner.start();
		ended(owner);
		fixture.time.advance(Duration.ofSeconds(10));
		assertThat(lease[0].isValid()).isFalse();
		assertThat(fixture.losses).containsExactly("[stock] OWNER_GONE");
	}

	@Test
	void aLeaseInScopeIsRenewedAfterItsThreadHasEnded() throws InterruptedException {
		RedlockFixture fixture = new RedlockFixture(5, RedlockFixture.renewing(LONG, 1000));
		Lease[] lease = new Lease[1];
		Thread thread = new Thread(() -> lease[0] = fixture.redlock.attemptInScope(LockRequest.of("stock")).orThrow());
		thread.start();
		ended(thread);
		fixture.time.advance(Duration.ofMinutes(1));
		assertThat(lease[0].isValid()).isTrue();
	}

	@Test
	void whoSaysForHowLongIsNotStoppedByTheNumberOfExtensions() {
		RedlockFixture fixture = new RedlockFixture(5, RedlockFixture.renewing(LONG, 2));
		Lease lease = fixture.acquire(LockRequest.of("stock").withMaxHold(Duration.ofMinutes(2)));
		fixture.time.advance(Duration.ofMinutes(2));
		assertThat(lease.isValid()).isTrue();
		fixture.time.advance(Duration.ofSeconds(20));
		assertThat(fixture.losses).containsExactly("[stock] RENEWAL_LIMIT");
	}

	@Test
	void aLimitToRenewalWithoutRenewalIsRefused() {
		RedlockFixture fixture = new RedlockFixture(3);
		LockRequest limited = LockRequest.of("stock").withMaxHold(Duration.ofHours(2));
		assertThatIllegalArgumentException().isThrownBy(() -> fixture.acquire(limited))
			.withMessageContaining("maxHold of 7200000 ms limits renewal, but the lease is not renewed")
			.withMessageContaining("ends with its ttl of 10000 ms")
			.withMessageContaining("renew = RedLock.Renew.ON");
		assertThatIllegalArgumentException().isThrownBy(() -> fixture.redlock.check(limited));
		fixture.redlock.check(limited.withRenew(true));
	}

	@Test
	void renewalForEverIsAsLongAsAnybodyWaits() {
		RedlockFixture fixture = new RedlockFixture(5);
		Lease lease = fixture
			.acquire(LockRequest.of("stock").withRenew(true).withMaxHold(Duration.ofSeconds(Long.MAX_VALUE)));
		fixture.time.advance(Duration.ofMinutes(2));
		assertThat(lease.isValid()).isTrue();
	}

	@Test
	void aRequestMayAskForRenewalByItself() {
		RedlockFixture fixture = new RedlockFixture(3);
		Lease renewed = fixture.acquire(LockRequest.of("a").withRenew(true));
		Lease plain = fixture.acquire("b");
		fixture.time.advance(Duration.ofSeconds(30));
		assertThat(renewed.isValid()).isTrue();
		assertThat(plain.isValid()).isFalse();
	}

}

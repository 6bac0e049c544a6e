package dev.redlock.spring.template;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.LockLostException;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockRequest;
import dev.redlock.LockWorld;
import dev.redlock.LossReason;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RedLockTemplateTests {

	private final LockWorld world = new LockWorld();

	private final RedLockTemplate template = new RedLockTemplate(this.world.redlock, Runnable::run);

	private final RedLockTemplate others = new RedLockTemplate(this.world.other, Runnable::run);

	@AfterEach
	void leavesNoInterruptAndNoLease() {
		assertThat(Thread.interrupted()).isFalse();
		assertThat(CurrentLease.get()).isEmpty();
	}

	@Test
	void workThatWouldWaitForALeaseOfItsOwnThreadFailsAtOnceAndSaysSo() {
		Lease own = this.template.acquire(LockRequest.of("stock:1"));
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> this.template.execute("stock:1", Duration.ofSeconds(10), (lease) -> "done"))
			.withMessageContaining("HELD")
			.withMessageContaining("this thread holds the lock already, by acquire() or tryAcquire()");
		assertThat(this.template.tryAcquire(LockRequest.of("stock:1"))).isEmpty();
		own.close();
		assertThat(this.template.<String>execute("stock:1", Duration.ofSeconds(10), (lease) -> "done"))
			.isEqualTo("done");
	}

	@Test
	void workReEntersTheLeaseOfItsLockAlsoInsideOfAnotherLockOnTheSameName() {
		LockWorld another = new LockWorld();
		// Leases of different times have different fences.
		another.time.advance(Duration.ofSeconds(1));
		RedLockTemplate elsewhere = new RedLockTemplate(another.other, Runnable::run);
		String result = this.template.execute(this.world.now("stock:1"),
				(outer) -> elsewhere.execute(this.world.now("stock:1"),
						(middle) -> this.template.execute(this.world.now("stock:1"), (inner) -> {
							assertThat(inner.fence()).isEqualTo(outer.fence()).isNotEqualTo(middle.fence());
							return "done";
						})));
		assertThat(result).isEqualTo("done");
	}

	@Test
	void innerCallUnderAnExpiredOuterLeaseThrowsInsteadOfRunning() {
		AtomicBoolean ran = new AtomicBoolean();
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.template.<Void>execute(this.world.now("stock:1"), (outer) -> {
				this.world.time.advance(LockWorld.TOO_LONG);
				return this.template.<Void>execute(this.world.now("stock:1"), (inner) -> {
					ran.set(true);
					return null;
				});
			}))
			.satisfies((lost) -> assertThat(lost.reason()).isEqualTo(LossReason.EXPIRED));
		assertThat(ran).isFalse();
	}

	@Test
	void leaseThatTheWorkClosedEarlyIsAcquiredAnewByAnInnerCall() {
		this.template.<Void>execute(this.world.now("stock:1"), (outer) -> {
			outer.close();
			return this.template.<Void>execute(this.world.now("stock:1"), (inner) -> {
				assertThat(inner.fence()).isNotEqualTo(outer.fence());
				return null;
			});
		});
	}

	@Test
	void acquiredLeaseIsNotBoundToTheThread() {
		try (Lease lease = this.template.acquire(this.world.now("stock:1"))) {
			assertThat(lease.isValid()).isTrue();
			assertThat(CurrentLease.get()).isEmpty();
		}
		assertThat(this.world.isHeld("stock:1")).isFalse();
	}

	@Test
	void tryAcquireIsEmptyWhileSomebodyElseHasIt() {
		this.others.acquire(this.world.now("stock:1"));
		assertThat(this.template.tryAcquire(this.world.now("stock:1"))).isEmpty();
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> this.template.acquire(this.world.now("stock:1")));
	}

}

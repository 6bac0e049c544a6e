package dev.redlock.spring.lock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.redlock.Lease;
import dev.redlock.LockLostException;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockRequest;
import dev.redlock.LockWorld;
import dev.redlock.RedlockSettings;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spring.template.RedLockTemplate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

class RedlockLocksTests {

	private final LockWorld world = new LockWorld();

	private final RedLockTemplate template = new RedLockTemplate(this.world.redlock, Runnable::run);

	private final RedlockLocks locks = new RedlockLocks(this.template, RedlockSettings.DEFAULTS);

	private final RedlockLock lock = this.locks.get("stock");

	/** The lock as another process sees it. */
	private final RedlockLock theirs = new RedlockLocks(new RedLockTemplate(this.world.other, Runnable::run),
			RedlockSettings.DEFAULTS)
		.get("stock");

	@AfterEach
	void noInterruptIsLeftBehind() {
		assertThat(Thread.interrupted()).isFalse();
	}

	@Test
	void aRequestForAPermitIsRefusedBecauseSuchALockHasOneOwner() {
		LockRequest permit = LockRequest.of("stock").withPermits(2);
		assertThatIllegalArgumentException().isThrownBy(() -> this.locks.get(permit))
			.withMessage("A lock of the JDK has one owner, and the request for [stock] is for one of 2 permits."
					+ " Use RedLockTemplate for permits.");
	}

	@Test
	void oneProcessExcludesAnotherUntilItUnlocks() {
		this.lock.lock();
		assertThat(this.theirs.tryLock()).isFalse();
		this.lock.unlock();
		assertThat(this.theirs.tryLock()).isTrue();
		assertThat(this.lock.tryLock()).isFalse();
	}

	@Test
	void aThreadEntersAgainAndLeavesAsOften() {
		this.lock.lock();
		this.locks.get("stock").lock();
		this.lock.unlock();
		assertThat(this.theirs.tryLock()).isFalse();
		this.lock.unlock();
		assertThat(this.world.isHeld("stock")).isFalse();
	}

	@Test
	void enteringAgainExtendsTheLease() {
		this.lock.lock();
		this.world.time.advance(Duration.ofSeconds(20));
		assertThat(this.lock.tryLock()).isTrue();
		this.world.time.advance(Duration.ofSeconds(20));
		assertThat(this.lock.lease()).get().matches(Lease::isValid);
		this.lock.unlock();
		this.lock.unlock();
	}

	@Test
	void enteringAgainRefusesATtlThatIsTooLong() throws InterruptedException {
		Duration tooLong = Duration.ofDays(365);
		this.lock.lock();
		assertThatIllegalArgumentException().isThrownBy(() -> this.lock.tryLock(Duration.ZERO, tooLong));
		assertThat(this.lock.lease()).get().matches(Lease::isValid);
		this.lock.unlock();
	}

	@Test
	void whoHasLostTheLockIsToldOnceAndMayAcquireItAnew() {
		this.lock.lock();
		this.world.time.advance(LockWorld.TOO_LONG);
		assertThat(this.lock.tryLock()).isFalse();
		assertThat(this.lock.lease()).isEmpty();
		assertThat(this.lock.tryLock()).isTrue();
		this.lock.unlock();
		assertThat(this.world.isHeld("stock")).isFalse();
	}

	@Test
	void unlockTellsOfTheLossAndThenOfNothing() {
		this.lock.lock();
		this.lock.lock();
		this.world.time.advance(LockWorld.TOO_LONG);
		this.lock.unlock();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.lock::unlock)
			.withMessageContaining("[stock]")
			.withMessageContaining("EXPIRED");
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(this.lock::unlock);
	}

	@Test
	void lockingAgainAfterTheLossThrowsInsteadOfWorkingOnWithoutTheLock() {
		this.lock.lock();
		this.world.time.advance(LockWorld.TOO_LONG);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.lock::lock);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.lock::unlock);
	}

	@Test
	void anotherThreadOfTheSameProcessIsExcludedAndCannotUnlock() {
		this.lock.lock();
		CompletableFuture.runAsync(() -> {
			assertThat(this.lock.tryLock()).isFalse();
			assertThat(this.lock.lease()).isEmpty();
			assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(this.lock::unlock)
				.withMessageContaining(Thread.currentThread().getName())
				.withMessageContaining("[stock]");
		}).orTimeout(10, TimeUnit.SECONDS).join();
		this.lock.unlock();
	}

	@Test
	void withoutAQuorumNobodyIsToldThatSomebodyElseHasIt() {
		this.world.loseQuorum();
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(this.lock::tryLock)
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.NO_QUORUM));
	}

	@Test
	void whoAsksWithATimeToWaitHearsOfTheLossBeforeItHappens() throws InterruptedException {
		this.lock.lock();
		Duration almost = this.lock.lease().orElseThrow().remaining().minusMillis(100);
		this.world.time.advance(almost);
		this.world.loseQuorum();
		assertThat(this.lock.tryLock(20, TimeUnit.MILLISECONDS)).isTrue();
		assertThat(this.lock.tryLock(60, TimeUnit.MILLISECONDS)).isFalse();
		assertThat(this.lock.lease()).isEmpty();
		assertThat(this.world.isHeld("stock")).as("until whoever is inside has had the time to stop").isTrue();
		this.world.time.advance(LockWorld.TOO_LONG);
		assertThat(this.world.isHeld("stock")).isFalse();
	}

	@Test
	void silentNodesKeepNobodyForLongerThanTheTimeToWait() {
		assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
			this.lock.lock();
			this.world.nodes.forEach(InMemoryNode::freeze);
			assertThat(this.lock.tryLock(50, TimeUnit.MILLISECONDS)).isTrue();
		});
	}

	@Test
	void anExtensionIsTriedAgainWhileThereIsTime() throws InterruptedException {
		this.lock.lock();
		this.world.loseQuorum();
		CompletableFuture<Void> healing = CompletableFuture.runAsync(() -> this.world.nodes.forEach(InMemoryNode::up),
				CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS));
		Duration before = this.lock.lease().orElseThrow().remaining();
		this.world.time.advance(Duration.ofSeconds(10));
		assertThat(this.lock.tryLock(10, TimeUnit.SECONDS)).isTrue();
		assertThat(this.lock.lease().orElseThrow().remaining()).isEqualTo(before);
		healing.join();
	}

	@Test
	void anInterruptedThreadStillTriesLocksAndUnlocksAndStaysInterrupted() {
		Thread.currentThread().interrupt();
		assertThat(this.lock.tryLock()).isTrue();
		this.lock.lock();
		this.lock.unlock();
		this.lock.unlock();
		assertThat(this.world.isHeld("stock")).isFalse();
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void methodsThatCanBeInterruptedEndAtOnceAndHoldNothing() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> this.lock.tryLock(1, TimeUnit.SECONDS));
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(this.lock::lockInterruptibly);
		assertThat(this.world.isHeld("stock")).isFalse();
	}

	@Test
	void insideOfATemplateTheLockReEnters() {
		this.template.execute(this.world.now("stock"), (lease) -> {
			assertThat(this.lock.tryLock()).isTrue();
			assertThat(this.lock.lease().orElseThrow().fence()).isEqualTo(lease.fence());
			this.lock.unlock();
			assertThat(lease.isValid()).isTrue();
			return null;
		});
		assertThat(this.world.isHeld("stock")).isFalse();
	}

	@Test
	void aNameMustBeText() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.locks.get(" "));
		assertThatIllegalArgumentException().isThrownBy(() -> this.locks.get("a\nb").lock());
	}

	@Test
	void insideOfATemplateWhoseLockIsLostTheLockIsLostToo() {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.template.execute(this.world.now("stock"), (lease) -> {
				this.lock.lock();
				this.world.time.advance(LockWorld.TOO_LONG);
				assertThat(this.lock.tryLock()).isFalse();
				assertThatExceptionOfType(LockLostException.class).isThrownBy(this.lock::tryLock);
				assertThatExceptionOfType(LockLostException.class).isThrownBy(this.lock::unlock);
				return null;
			}));
	}

}

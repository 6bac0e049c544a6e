package dev.redlock.spring.integration;

import java.time.Duration;
import java.util.ConcurrentModificationException;

import dev.redlock.LockLostException;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockRequest;
import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.RedlockSettings;
import dev.redlock.spring.lock.RedlockLocks;
import dev.redlock.spring.template.RedLockTemplate;
import org.junit.jupiter.api.Test;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class RedlockLockRegistryTests {

	private final LockWorld world = new LockWorld(RedlockSettings.builder().maxTtl(Duration.ofMinutes(1)).build());

	private final RedlockLocks locks = locks(this.world.redlock);

	private final RedlockLockRegistry registry = new RedlockLockRegistry(this.locks);

	private final RedlockLockRegistry theirs = new RedlockLockRegistry(locks(this.world.other));

	@Test
	void twoObjectsForOneKeyAreOneLock() {
		assertThat(this.registry.obtain("a")).isEqualTo(this.registry.obtain("a"))
			.hasSameHashCodeAs(this.registry.obtain("a"))
			.isNotEqualTo(this.registry.obtain("b"));
		assertThat(this.registry.obtain("a")).isNotEqualTo(this.theirs.obtain("a"));
	}

	@Test
	void twoRegistriesExcludeEachOther() {
		this.registry.obtain("a").lock();
		assertThat(this.theirs.obtain("a").tryLock()).isFalse();
		assertThat(this.theirs.obtain("b").tryLock()).isTrue();
		this.registry.obtain("a").unlock();
		assertThat(this.theirs.obtain("a").tryLock()).isTrue();
	}

	@Test
	void unlockAfterTheLossTellsThatTheDataMayBeCompromised() {
		DistributedLock lock = this.registry.obtain("a");
		lock.lock();
		this.world.time.advance(LockWorld.TOO_LONG);
		assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::unlock)
			.withMessageContaining("lost")
			.withCauseInstanceOf(LockLostException.class);
	}

	@Test
	void lockByAThreadThatHasLostItTellsSo() {
		DistributedLock lock = this.registry.obtain("a");
		lock.lock();
		this.world.time.advance(LockWorld.TOO_LONG);
		assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::lock);
	}

	@Test
	void withoutAQuorumTheLockCannotBeAcquired() {
		this.world.loseQuorum();
		DistributedLock lock = this.registry.obtain("a");
		assertThatExceptionOfType(CannotAcquireLockException.class).isThrownBy(lock::tryLock)
			.withMessageContaining("NO_QUORUM")
			.withCauseInstanceOf(LockNotAcquiredException.class);
	}

	@Test
	void aTtlOfOneCallIsForThatCall() throws InterruptedException {
		DistributedLock lock = this.registry.obtain("a");
		lock.lock(Duration.ofSeconds(50));
		this.world.time.advance(LockWorld.TOO_LONG);
		lock.unlock();
		assertThat(lock.tryLock(Duration.ZERO, Duration.ofSeconds(50))).isTrue();
		this.world.time.advance(LockWorld.TOO_LONG);
		lock.unlock();
	}

	@Test
	void aTtlOverTheMaximumIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.registry.obtain("a").lock(Duration.ofMinutes(5)))
			.withMessageContaining("max-ttl");
	}

	@Test
	void renewKeepsTheLockForAnotherTtl() {
		this.registry.obtain("a").lock();
		this.world.time.advance(Duration.ofSeconds(20));
		this.registry.renewLock("a");
		this.world.time.advance(Duration.ofSeconds(20));
		this.registry.renewLock("a", Duration.ofSeconds(60));
		this.world.time.advance(Duration.ofSeconds(50));
		this.registry.obtain("a").unlock();
	}

	@Test
	void renewTellsWhatIsWrong() {
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(() -> this.registry.renewLock("a"));
		this.registry.obtain("a").lock();
		this.world.loseQuorum();
		assertThatIllegalStateException().isThrownBy(() -> this.registry.renewLock("a"))
			.withMessageContaining("'a'")
			.withMessageContaining(" ms");
		this.world.time.advance(LockWorld.TOO_LONG);
		assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(() -> this.registry.renewLock("a"));
	}

	@Test
	void withASchedulerForRenewalLocksAreRenewed() {
		this.registry.obtain("a");
		this.registry.setRenewalTaskScheduler(new ThreadPoolTaskScheduler());
		this.registry.obtain("a").lock();
		this.world.time.advance(Duration.ofMinutes(1));
		this.registry.obtain("a").unlock();
	}

	@Test
	void workRunsUnderTheLockAndTheLockIsReleasedAfterIt() throws Exception {
		assertThat(this.registry.executeLocked("a", () -> this.theirs.obtain("a").tryLock())).isFalse();
		assertThat(this.world.isHeld("a")).isFalse();
		assertThatIllegalStateException().isThrownBy(() -> this.registry.executeLocked("a", () -> {
			throw new IllegalStateException("from the work");
		})).withMessage("from the work");
		assertThat(this.world.isHeld("a")).isFalse();
	}

	@Test
	void aFunctionMakesRequestsOfKeys() {
		RedlockLockRegistry own = new RedlockLockRegistry(this.locks,
				(key) -> LockRequest.of("orders:" + key).withTtl(Duration.ofSeconds(5)));
		own.obtain("a").lock();
		assertThat(this.world.isHeld("orders:a")).isTrue();
		this.world.time.advance(Duration.ofSeconds(6));
		assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(() -> own.obtain("a").unlock());
	}

	@Test
	void aKeyThatOtherProcessesMayReadDifferentlyIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.registry.obtain(new Object()))
			.withMessageContaining("java.lang.Object");
		assertThatIllegalArgumentException().isThrownBy(() -> this.registry.obtain(" "));
	}

	private static RedlockLocks locks(Redlock redlock) {
		return new RedlockLocks(new RedLockTemplate(redlock, Runnable::run), RedlockSettings.DEFAULTS);
	}

}

package dev.redlock.spring.integration;

import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import dev.redlock.Lease;
import dev.redlock.LockLostException;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.spring.lock.RedlockLock;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.integration.support.locks.DistributedLock;

/**
 * A lock of {@link RedlockLockRegistry}, which throws the exceptions that Spring
 * Integration expects.
 */
final class RegistryLock implements DistributedLock, RedlockLock {

	private final RedlockLock lock;

	RegistryLock(RedlockLock lock) {
		this.lock = lock;
	}

	@Override
	public Optional<Lease> lease() {
		return this.lock.lease();
	}

	@Override
	public void lock() {
		translated(() -> {
			this.lock.lock();
			return true;
		});
	}

	@Override
	public void lock(Duration ttl) {
		translated(() -> {
			this.lock.lock(ttl);
			return true;
		});
	}

	@Override
	public void lockInterruptibly() throws InterruptedException {
		translated(() -> {
			this.lock.lockInterruptibly();
			return true;
		});
	}

	@Override
	public boolean tryLock() {
		return translated(this.lock::tryLock);
	}

	@Override
	public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
		return translated(() -> this.lock.tryLock(time, unit));
	}

	@Override
	public boolean tryLock(Duration wait, Duration ttl) throws InterruptedException {
		return translated(() -> this.lock.tryLock(wait, ttl));
	}

	@Override
	public boolean renew(@Nullable Duration ttl) {
		return translated(() -> this.lock.renew(ttl));
	}

	@Override
	public void unlock() {
		translated(() -> {
			this.lock.unlock();
			return true;
		});
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof RegistryLock that && this.lock.equals(that.lock);
	}

	@Override
	public int hashCode() {
		return this.lock.hashCode();
	}

	@Override
	public String toString() {
		return this.lock.toString();
	}

	private static <E extends Exception> boolean translated(Action<E> action) throws E {
		try {
			return action.run();
		}
		catch (LockLostException ex) {
			throw new ConcurrentModificationException(ex.getMessage(), ex);
		}
		catch (LockNotAcquiredException ex) {
			throw new CannotAcquireLockException(ex.getMessage(), ex);
		}
	}

	@FunctionalInterface
	private interface Action<E extends Exception> {

		boolean run() throws E;

	}

}

package dev.redlock.spring.integration;

import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import dev.redlock.Lease;
import dev.redlock.LockLostException;
import dev.redlock.LockNotAcquiredException;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.integration.support.locks.DistributedLock;

/**
 * A lock of one registry, with the exceptions that registries of Spring Integration
 * throw. It keeps nothing: two of them for the same key are one lock.
 */
final class RegistryLock implements DistributedLock, RedlockLock {

	private final RedlockLockRegistry registry;

	private final ThreadLock lock;

	RegistryLock(RedlockLockRegistry registry, ThreadLock lock) {
		this.registry = registry;
		this.lock = lock;
	}

	ThreadLock unwrap() {
		return this.lock;
	}

	@Override
	public Optional<Lease> lease() {
		return Optional.ofNullable(this.lock.hold()).map(Hold::lease);
	}

	@Override
	public void lock() {
		locked(null);
	}

	@Override
	public void lock(Duration ttl) {
		locked(ttl);
	}

	@Override
	public void lockInterruptibly() throws InterruptedException {
		RegistryLock.<Boolean, InterruptedException>translated(() -> {
			this.lock.lockInterruptibly(null);
			return true;
		});
	}

	@Override
	public boolean tryLock() {
		return RegistryLock.<Boolean, RuntimeException>translated(this.lock::tryLock);
	}

	@Override
	public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
		return tried(Duration.ofNanos(unit.toNanos(time)), null);
	}

	@Override
	public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
		return tried(waitTime, ttl);
	}

	@Override
	public void unlock() {
		RegistryLock.<Boolean, RuntimeException>translated(() -> {
			this.lock.unlock();
			return true;
		});
	}

	/**
	 * Asks the nodes to keep the lock.
	 * @return false if no majority agreed though the lock is still held
	 */
	boolean renew(@Nullable Duration ttl) {
		return RegistryLock.<Boolean, RuntimeException>translated(() -> this.lock.renew(ttl));
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof RegistryLock that && this.registry == that.registry
				&& this.lock.request().resources().equals(that.lock.request().resources());
	}

	@Override
	public int hashCode() {
		return this.lock.request().resources().hashCode();
	}

	/**
	 * Names what is locked, and whether by the current thread.
	 */
	@Override
	public String toString() {
		return "RedlockLock" + this.lock.request().resources() + lease().map((lease) -> " held: " + lease).orElse("");
	}

	private void locked(@Nullable Duration ttl) {
		RegistryLock.<Boolean, RuntimeException>translated(() -> {
			this.lock.lock(ttl);
			return true;
		});
	}

	private boolean tried(Duration wait, @Nullable Duration ttl) throws InterruptedException {
		return RegistryLock.<Boolean, InterruptedException>translated(() -> this.lock.tryLock(wait, ttl));
	}

	private static <T, E extends Exception> T translated(Use<T, E> use) throws E {
		try {
			return use.run();
		}
		catch (LockNotAcquiredException ex) {
			throw new CannotAcquireLockException(ex.getMessage(), ex);
		}
		catch (LockLostException ex) {
			throw new ConcurrentModificationException(ex.getMessage(), ex);
		}
	}

	@FunctionalInterface
	private interface Use<T, E extends Exception> {

		T run() throws E;

	}

}

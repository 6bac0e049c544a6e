package dev.redlock.spring.integration;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import dev.redlock.Lease;

/**
 * A lock without any library around it.
 */
final class JdkLock implements RedlockLock {

	private final ThreadLock lock;

	JdkLock(ThreadLock lock) {
		this.lock = lock;
	}

	@Override
	public Optional<Lease> lease() {
		return Optional.ofNullable(this.lock.hold()).map(Hold::lease);
	}

	@Override
	public void lock() {
		this.lock.lock(null);
	}

	@Override
	public void lockInterruptibly() throws InterruptedException {
		this.lock.lockInterruptibly(null);
	}

	@Override
	public boolean tryLock() {
		return this.lock.tryLock();
	}

	@Override
	public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
		return this.lock.tryLock(Duration.ofNanos(unit.toNanos(time)), null);
	}

	@Override
	public void unlock() {
		this.lock.unlock();
	}

	/**
	 * Names what is locked, and whether by the current thread.
	 */
	@Override
	public String toString() {
		return "RedlockLock" + this.lock.request().resources() + lease().map((lease) -> " held: " + lease).orElse("");
	}

}

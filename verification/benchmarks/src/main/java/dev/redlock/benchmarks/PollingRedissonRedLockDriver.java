package dev.redlock.benchmarks;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

import dev.redlock.nemesis.LockDriver;

/**
 * The {@code RedissonRedLock} of Redisson without its waiting: it is asked for one
 * attempt after the other.
 * <p>
 * Given a time to wait, {@code RedissonMultiLock.tryLock} of 4.7.0 asks each server for a
 * lease of twice that time, one server after the other. It sets the lease time that was
 * asked for at the end, and does not look whether the servers still had the lock. With
 * short waits they often have not, without any fault, and the lock is held by nobody.
 * Whether that is all that the suite finds, this driver tells.
 */
public final class PollingRedissonRedLockDriver implements LockDriver {

	private static final long PAUSE_NANOS = Duration.ofMillis(20).toNanos();

	private final RedissonRedLockDriver driver = new RedissonRedLockDriver();

	/**
	 * Creates a driver that is not connected.
	 */
	public PollingRedissonRedLockDriver() {
	}

	@Override
	public void connect(Iterable<String> addresses, boolean restartGuard) {
		this.driver.connect(addresses, restartGuard);
	}

	@Override
	public Optional<Grant> acquire(String name, Duration ttl, Duration wait) throws InterruptedException {
		long start = System.nanoTime();
		Optional<Grant> grant = this.driver.acquire(name, ttl, Duration.ZERO);
		while (grant.isEmpty() && System.nanoTime() - start < wait.toNanos()) {
			LockSupport.parkNanos(PAUSE_NANOS);
			grant = this.driver.acquire(name, ttl, Duration.ZERO);
		}
		return grant;
	}

	@Override
	public void close() {
		this.driver.close();
	}

}

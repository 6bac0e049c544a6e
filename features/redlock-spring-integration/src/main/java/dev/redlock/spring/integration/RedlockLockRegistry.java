package dev.redlock.spring.integration;

import java.time.Duration;
import java.util.function.Function;

import dev.redlock.LockRequest;
import dev.redlock.spring.lock.RedlockLock;
import dev.redlock.spring.lock.RedlockLocks;
import org.jspecify.annotations.Nullable;

import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.RenewableLockRegistry;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.util.ClassUtils;

/**
 * A Spring Integration {@code LockRegistry} that takes its locks with Redlock, for
 * example for aggregators and leader election. This class is thread-safe.
 * <p>
 * By default, a lock excludes methods with
 * {@link dev.redlock.spring.annotation.RedLock @RedLock} whose resource name equals the
 * key of the lock. The locks are {@link RedlockLock}s, which give access to the lease and
 * its fence. Locks of the registry throw the exceptions that Spring Integration's other
 * registries throw:
 * <ul>
 * <li>{@link java.util.ConcurrentModificationException} from {@code unlock()}, or from
 * {@code lock()} in the thread that holds the lock, if the lock was lost;</li>
 * <li>{@link org.springframework.dao.CannotAcquireLockException} if the nodes cannot
 * decide, with the {@link dev.redlock.LockNotAcquiredException} as its cause;</li>
 * <li>{@link IllegalMonitorStateException} if another thread unlocks.</li>
 * </ul>
 * If a thread that holds a lock calls {@code tryLock} again, the lock is extended on the
 * Redis servers. If a thread's lock is lost, the thread's next {@code tryLock} returns
 * false once, so that Spring Integration's leader election learns of the loss. If the
 * lock cannot be extended within the time to wait, {@code tryLock} returns true only if
 * the lock stays valid for more than twice that time.
 */
public final class RedlockLockRegistry implements RenewableLockRegistry<DistributedLock> {

	private final RedlockLocks locks;

	private final Function<String, LockRequest> requests;

	private volatile boolean renewing;

	/**
	 * Creates a registry in which the key of a lock is the name of the locked resource.
	 */
	public RedlockLockRegistry(RedlockLocks locks) {
		this(locks, LockRequest::of);
	}

	/**
	 * Creates a registry with a function that turns keys into lock requests, for example
	 * to set another name, ttl, or set of Redis servers.
	 * @param requests returns the lock request for a key; the time to wait of the request
	 * is ignored
	 */
	public RedlockLockRegistry(RedlockLocks locks, Function<String, LockRequest> requests) {
		this.locks = locks;
		this.requests = requests;
	}

	/**
	 * Returns the lock for a key. Two lock objects for one key are equal and share their
	 * state.
	 * @throws IllegalArgumentException if the key is blank or not a string
	 */
	@Override
	public DistributedLock obtain(Object lockKey) {
		return lock(lockKey);
	}

	/**
	 * Extends the lock of a key by the lock's original ttl.
	 * @throws IllegalMonitorStateException if the current thread does not hold the lock
	 * @throws java.util.ConcurrentModificationException if the lock is lost
	 * @throws IllegalStateException if no majority of the servers extended the lock,
	 * although the lock is still held
	 */
	@Override
	public void renewLock(Object lockKey) {
		renew(lockKey, null);
	}

	/**
	 * Extends the lock of a key, so that the lock is held for at least the given time
	 * from now.
	 * @param ttl the new ttl of the lock, at most {@code redlock.max-ttl}
	 * @throws IllegalMonitorStateException if the current thread does not hold the lock
	 */
	@Override
	public void renewLock(Object lockKey, Duration ttl) {
		renew(lockKey, ttl);
	}

	/**
	 * Turns on renewal for every lock that is obtained from now on. Each lock is renewed
	 * until the lock is unlocked, for {@code redlock.renew.max-hold} at most.
	 * @param renewalTaskScheduler not used, because leases have their own timers
	 */
	@Override
	public void setRenewalTaskScheduler(TaskScheduler renewalTaskScheduler) {
		this.renewing = true;
	}

	private RegistryLock lock(Object lockKey) {
		if (!(lockKey instanceof String key)) {
			throw new IllegalArgumentException(
					"The key of a lock must be a string, such as order:1, not " + ClassUtils.getDescriptiveType(lockKey)
							+ ". All processes must use the same text for the same lock.");
		}
		LockRequest request = this.requests.apply(key);
		return new RegistryLock(this.locks.get(this.renewing ? request.withRenew(true) : request));
	}

	private void renew(Object lockKey, @Nullable Duration ttl) {
		RegistryLock lock = lock(lockKey);
		if (!lock.renew(ttl)) {
			throw new IllegalStateException(
					"No majority of the nodes agreed to extend the lock on '" + lockKey + "'. The lock stays held for "
							+ lock.lease().map((lease) -> lease.remaining().toMillis()).orElse(0L)
							+ " ms. Check the nodes, and try again.");
		}
	}

}

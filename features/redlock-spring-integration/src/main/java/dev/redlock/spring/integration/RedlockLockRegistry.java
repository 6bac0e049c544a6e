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
 * A lock registry of Spring Integration that locks on the Redis nodes, for aggregators,
 * leader election and other code that uses a registry. This class is thread-safe.
 * <p>
 * The key of a lock is the name of the resource, so that a lock of the registry excludes
 * {@link dev.redlock.spring.annotation.RedLock @RedLock} with the same name. The locks
 * are {@link RedlockLock}s, which give access to the lease and its fence. The interface
 * {@link RedlockLock} lists the limits of such a lock. Locks of the registry throw the
 * exceptions of other Spring Integration registries:
 * <ul>
 * <li>{@link java.util.ConcurrentModificationException} from {@code unlock()}, or from
 * {@code lock()} in the thread that holds the lock, if the lock was lost;</li>
 * <li>{@link org.springframework.dao.CannotAcquireLockException} if the nodes cannot
 * decide, with the {@link dev.redlock.LockNotAcquiredException} as its cause;</li>
 * <li>{@link IllegalMonitorStateException} if another thread unlocks.</li>
 * </ul>
 * A thread that holds a lock and calls {@code tryLock} again asks the nodes to extend the
 * lock. If the lock is lost, this call returns false once, so a leader learns that it no
 * longer leads. If {@code tryLock} has a time to wait, as leaders use it, true means that
 * the lock is valid for more than twice the time to wait.
 */
public final class RedlockLockRegistry implements RenewableLockRegistry<DistributedLock> {

	private final RedlockLocks locks;

	private final Function<String, LockRequest> requests;

	private volatile boolean renewing;

	/**
	 * Creates a registry whose keys are names of resources.
	 * @param locks the source of locks
	 */
	public RedlockLockRegistry(RedlockLocks locks) {
		this(locks, LockRequest::of);
	}

	/**
	 * Creates a registry with a function that turns keys into requests, for example with
	 * other names, another ttl, or other instances.
	 * @param locks the source of locks
	 * @param requests the function from a key to the request; each call of a lock sets
	 * its own time to wait
	 */
	public RedlockLockRegistry(RedlockLocks locks, Function<String, LockRequest> requests) {
		this.locks = locks;
		this.requests = requests;
	}

	/**
	 * Returns the lock for a key. Two objects for the same key are equal and are one
	 * lock.
	 * @param lockKey the name of what is locked, a string
	 * @return the lock
	 * @throws IllegalArgumentException if the key is not a string, or blank
	 */
	@Override
	public DistributedLock obtain(Object lockKey) {
		return lock(lockKey);
	}

	/**
	 * Extends the lock by the ttl of its acquisition.
	 * @param lockKey the name of what is locked
	 * @throws IllegalMonitorStateException if the current thread does not hold the lock
	 * @throws java.util.ConcurrentModificationException if the lock is lost
	 * @throws IllegalStateException if no majority agreed although the lock is still held
	 */
	@Override
	public void renewLock(Object lockKey) {
		renew(lockKey, null);
	}

	/**
	 * Keeps the lock for at least the given time from now.
	 * @param lockKey the name of what is locked
	 * @param ttl the new ttl, at most {@code redlock.max-ttl}
	 * @throws IllegalMonitorStateException if the current thread does not hold the lock
	 * @throws java.util.ConcurrentModificationException if the lock is lost
	 * @throws IllegalStateException if no majority agreed although the lock is still held
	 */
	@Override
	public void renewLock(Object lockKey, Duration ttl) {
		renew(lockKey, ttl);
	}

	/**
	 * Turns on renewal for every lock that is obtained from now on. Each lock is renewed
	 * until it is unlocked, for {@code redlock.renew.max-hold} at most. Leases have their
	 * own timers, so the scheduler itself is not used.
	 * @param renewalTaskScheduler not used
	 */
	@Override
	public void setRenewalTaskScheduler(TaskScheduler renewalTaskScheduler) {
		this.renewing = true;
	}

	private RegistryLock lock(Object lockKey) {
		if (!(lockKey instanceof String key)) {
			throw new IllegalArgumentException("The key of a lock is the name of what is locked, a string, not "
					+ ClassUtils.getDescriptiveType(lockKey)
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

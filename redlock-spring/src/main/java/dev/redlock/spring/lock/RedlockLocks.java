package dev.redlock.spring.lock;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.redlock.LockRequest;
import dev.redlock.RedlockSettings;
import dev.redlock.spring.template.RedLockOperations;

/**
 * Creates locks for code that needs a {@link java.util.concurrent.locks.Lock} of the JDK.
 * {@link RedlockLock} lists the limits of such a lock.
 * <p>
 * All locks for the same name from the same object are one lock. This class is
 * thread-safe, and an application needs only one object of it.
 */
public final class RedlockLocks {

	private final RedLockOperations operations;

	private final RedlockSettings settings;

	/**
	 * The leases of a thread by resources. The leases are kept apart from the lock
	 * objects, so that two objects for the same name are one lock.
	 */
	private final ThreadLocal<Map<List<String>, ThreadLease>> leases = ThreadLocal.withInitial(HashMap::new);

	/**
	 * Creates a source of locks.
	 * @param operations the source of leases
	 * @param settings the defaults of the lock
	 */
	public RedlockLocks(RedLockOperations operations, RedlockSettings settings) {
		this.operations = operations;
		this.settings = settings;
	}

	/**
	 * Returns the lock on a resource, with the default of every setting.
	 * @param resource the name of what is locked
	 * @return the lock
	 */
	public RedlockLock get(String resource) {
		return get(LockRequest.of(resource));
	}

	/**
	 * Returns the lock on one or more resources.
	 * @param request the request for the lock; each call of the lock sets its own time to
	 * wait
	 * @return the lock
	 * @throws IllegalArgumentException if the request is for one of several permits
	 */
	public RedlockLock get(LockRequest request) {
		return new ThreadLock(this.operations, this.leases, request, this.settings.ttl());
	}

}

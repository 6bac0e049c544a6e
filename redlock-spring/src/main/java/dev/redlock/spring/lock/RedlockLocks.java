package dev.redlock.spring.lock;

import java.util.List;
import java.util.Set;

import dev.redlock.LockRequest;
import dev.redlock.RedlockSettings;
import dev.redlock.spring.template.RedLockOperations;

/**
 * Creates locks for code that needs a {@link java.util.concurrent.locks.Lock} of the JDK.
 * {@link RedlockLock} lists the limits of such a lock.
 * <p>
 * All locks for the same name from the same object are one lock. Thread-safe; an
 * application needs only one.
 */
public final class RedlockLocks {

	private final RedLockOperations operations;

	private final RedlockSettings settings;

	private final ThreadLeases leases = new ThreadLeases();

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
	 * Returns the lock on a resource, with the defaults for everything.
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

	/**
	 * Returns what live threads hold by locks of this object.
	 * @return the resources of each lock
	 */
	public Set<List<String>> held() {
		return this.leases.held();
	}

}

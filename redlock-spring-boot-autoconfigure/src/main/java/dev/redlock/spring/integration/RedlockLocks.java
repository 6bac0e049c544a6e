package dev.redlock.spring.integration;

import dev.redlock.LockRequest;
import dev.redlock.RedlockSettings;
import dev.redlock.spring.template.RedLockOperations;

/**
 * Hands out locks of the JDK, for code that insists on
 * {@link java.util.concurrent.locks.Lock}. Read {@link RedlockLock} for what such a lock
 * cannot do.
 * <p>
 * All locks for the same name that come from one of these objects are one lock, however
 * often it is asked for. Thread-safe; one is enough.
 */
public final class RedlockLocks {

	private final RedLockOperations operations;

	private final RedlockSettings settings;

	private final ThreadHolds holds = new ThreadHolds();

	/**
	 * Creates a source of locks.
	 * @param operations where leases come from
	 * @param settings the defaults of the lock
	 */
	public RedlockLocks(RedLockOperations operations, RedlockSettings settings) {
		this.operations = operations;
		this.settings = settings;
	}

	/**
	 * The lock on a resource, with the defaults for everything.
	 * @param resource the name of what is locked
	 * @return the lock
	 */
	public RedlockLock get(String resource) {
		return get(LockRequest.of(resource));
	}

	/**
	 * The lock on one or more resources.
	 * @param request what to lock, and how; how long to wait is for each call of the lock
	 * to say
	 * @return the lock
	 */
	public RedlockLock get(LockRequest request) {
		return new JdkLock(new ThreadLock(this.operations, this.holds, request, this.settings.ttl()));
	}

}

package dev.redlock.spring.lock;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.redlock.LockRequest;
import dev.redlock.RedlockSettings;
import dev.redlock.spring.template.RedLockOperations;
import dev.redlock.spring.template.RedLockTemplate;

/**
 * Creates locks for code that needs a {@link java.util.concurrent.locks.Lock} of the JDK.
 * {@link RedlockLock} lists how these locks differ from other locks of the JDK.
 * <p>
 * Two locks that one {@code RedlockLocks} object returns for the same name are the same
 * lock. This class is thread-safe, and an application needs only one {@code RedlockLocks}
 * object.
 */
public final class RedlockLocks {

	private final RedLockOperations operations;

	private final RedlockSettings settings;

	private final ThreadLocal<Map<List<String>, ThreadLease>> leases = ThreadLocal.withInitial(HashMap::new);

	/**
	 * Creates a factory of locks.
	 */
	public RedlockLocks(RedLockOperations operations, RedlockSettings settings) {
		this.operations = RedLockTemplate.apartFromTransactions(operations, false);
		this.settings = settings;
	}

	/**
	 * Returns the lock on a resource, with the default of every setting.
	 * @param resource the name to lock
	 */
	public RedlockLock get(String resource) {
		return get(LockRequest.of(resource));
	}

	/**
	 * Returns the lock on one or more resources.
	 * @param request the names to lock and the settings; {@code waitFor} is ignored,
	 * because each call of the lock sets its own wait
	 * @throws IllegalArgumentException if the request is for a permit and not for an
	 * exclusive lock
	 */
	public RedlockLock get(LockRequest request) {
		return new ThreadLock(this.operations, this.leases, request, this.settings.ttl());
	}

}

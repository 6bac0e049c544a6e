package dev.redlock.spring.template;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.LockLostException;
import dev.redlock.LockRequest;
import dev.redlock.LossReason;

/**
 * Lets code check that it runs under a lock. In production, this check detects a missing
 * proxy, and calls that bypass the proxy. <pre class="code">
 * &#64;RedLock("stock:#{#sku}")
 * public void sell(String sku) {
 *     RedLockAssert.assertLocked("stock:" + sku);
 *     …
 * }</pre>
 * <p>
 * The check looks at the leases of the current thread ({@link CurrentLease}), so call it
 * in the method itself and not in work that the method passes to other threads.
 */
public final class RedLockAssert {

	private RedLockAssert() {
	}

	/**
	 * Checks that the current thread works under some lock, and still holds every name
	 * that the innermost call locked.
	 * @throws IllegalStateException if the thread works under no lock
	 * @throws LockLostException if one of these names is lost
	 */
	public static void assertLocked() {
		requireValid(CurrentLease.require());
	}

	/**
	 * Checks that the current thread works under a lock on each of the resources.
	 * @param resources the names that must be locked
	 * @throws IllegalStateException if the thread does not hold one of the locks
	 * @throws LockLostException if one of the locks is lost
	 */
	public static void assertLocked(String... resources) {
		if (resources.length == 0) {
			throw new IllegalArgumentException("Name at least one resource, or call assertLocked() without arguments");
		}
		for (String resource : LockRequest.of(resources).resources()) {
			requireValid(CurrentLease.require(resource));
		}
	}

	private static void requireValid(Lease lease) {
		if (!lease.isValid()) {
			throw BoundLease.lost(lease, lease.lost().toCompletableFuture().getNow(LossReason.EXPIRED),
					CallSite.ofThread().leases());
		}
	}

}

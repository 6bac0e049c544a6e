package dev.redlock.spring.template;

import java.util.List;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.LockLostException;
import dev.redlock.LockRequest;
import dev.redlock.LossReason;
import dev.redlock.spring.internal.lease.BoundLease;
import dev.redlock.spring.internal.work.CallSite;

/**
 * Lets a method check that it runs under a lock. In production, {@code assertLocked}
 * detects beans without a proxy, and calls that bypass the proxy. <pre class="code">
 * &#64;RedLock("stock:#{#sku}")
 * public void sell(String sku) {
 *     RedLockAssert.assertLocked("stock:" + sku);
 *     …
 * }</pre>
 * <p>
 * {@code assertLocked} checks the leases of the current thread ({@link CurrentLease}),
 * and the leases that its open transaction keeps. Call {@code assertLocked} in the locked
 * method itself, and not in code that the method runs on other threads.
 */
public final class RedLockAssert {

	private RedLockAssert() {
	}

	/**
	 * Checks that the current thread runs under a lock, and still has the locks on all
	 * names that the innermost call locked. If no locked call runs, the locks are checked
	 * that the open transaction keeps.
	 * @throws IllegalStateException if the thread runs under no lock
	 * @throws LockLostException if the lock on a name of the innermost call is lost
	 */
	public static void assertLocked() {
		List<Lease> leases = CallSite.ofThread().leases();
		if (leases.isEmpty() || CurrentLease.get().isPresent()) {
			requireValid(CurrentLease.require());
		}
		else {
			leases.forEach(RedLockAssert::requireValid);
		}
	}

	/**
	 * Checks that the current thread still has the locks on all of the given resources.
	 * @param resources the names that must be locked
	 * @throws IllegalStateException if the thread has not locked one of the resources
	 * @throws LockLostException if the lock on one of the resources is lost
	 */
	public static void assertLocked(String... resources) {
		if (resources.length == 0) {
			throw new IllegalArgumentException("Name at least one resource, or call assertLocked() without arguments");
		}
		for (String resource : LockRequest.of(resources).resources()) {
			requireValid(TransactionLeases.require(resource));
		}
	}

	private static void requireValid(Lease lease) {
		if (!lease.isValid()) {
			throw BoundLease.lossException(lease, lease.lost().toCompletableFuture().getNow(LossReason.EXPIRED),
					CallSite.ofThread().leases());
		}
	}

}

package dev.redlock.internal.client;

import java.time.Duration;
import java.util.List;

import dev.redlock.Lease;
import dev.redlock.internal.lease.HeldLease;
import dev.redlock.internal.waiting.NextTry;

/**
 * What tests look at inside of the machinery.
 */
public final class Internals {

	private Internals() {
	}

	/** The number of keys that have a wait queue. */
	public static int queues(Engine engine) {
		return engine.queues().size();
	}

	/** The longest wait for a release that is to be announced. */
	public static Duration longestWaitForRelease() {
		return NextTry.LONGEST_WAIT_FOR_RELEASE;
	}

	/** The secret of a lease that a lock has granted. */
	public static String token(Lease lease) {
		return ((HeldLease) lease).grant().claim().token();
	}

	/** The keys of a lease on the nodes. */
	public static List<String> keys(Lease lease) {
		return ((HeldLease) lease).plan().keys();
	}

}

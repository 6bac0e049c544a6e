package dev.redlock;

import java.util.Collection;

import org.jspecify.annotations.Nullable;

/**
 * Is told what happens to requests and leases. Whatever it throws, an {@code Error} too,
 * is logged and changes nothing.
 */
public interface RedlockListener {

	/**
	 * A lock is asked for. Called on the thread that asks, before any node is asked: an
	 * implementation must not block, nor ask for locks.
	 * @param request what is asked for
	 * @return who is told what becomes of the request, null if nobody wants to know
	 */
	default @Nullable RequestListener requested(LockRequest request) {
		return null;
	}

	/**
	 * A lease was lost before it was released. Called on a thread for callbacks.
	 * @param lease the lease
	 * @param reason why
	 */
	default void leaseLost(Lease lease, LossReason reason) {
	}

	/**
	 * Makes one listener out of several. Each is told whatever the others do.
	 * @param listeners the listeners, in the order in which they are told
	 * @return the listener
	 */
	static RedlockListener all(Collection<? extends RedlockListener> listeners) {
		return new ListenerGroup(listeners);
	}

}

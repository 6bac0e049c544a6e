package dev.redlock;

import org.jspecify.annotations.Nullable;

/**
 * Listener for requests for locks, and for leases. Exceptions and errors of a listener
 * are logged and have no other effect. A listener that may block has to pass its work to
 * another thread, so that it delays no outcome of a request. The auto-configuration calls
 * listener beans on another thread, unless {@link #isQuick()} returns true.
 */
public interface RedlockListener {

	/**
	 * Called when a lock is requested, on the requesting thread and before any node is
	 * asked. Implementations must neither block nor request locks.
	 * @return the listener for this request, null for none
	 */
	default @Nullable RequestListener requested(LockRequest request) {
		return null;
	}

	/**
	 * Returns whether all methods of this listener, and of its {@link RequestListener}s,
	 * return without blocking. The auto-configuration calls a quick listener directly,
	 * and all other listeners on a separate thread.
	 */
	default boolean isQuick() {
		return false;
	}

	/**
	 * Called when a lease was lost before it was released, never on the event loop.
	 */
	default void leaseLost(Lease lease, LossReason reason) {
	}

}

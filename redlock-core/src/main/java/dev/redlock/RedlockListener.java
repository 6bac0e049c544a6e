package dev.redlock;

import java.util.Collection;

import org.jspecify.annotations.Nullable;

/**
 * Is told what happens to requests and leases. Whatever it throws, an {@code Error} too,
 * is logged and changes nothing. A listener that may block belongs into a
 * {@link ListenerQueue}, where it delays no verdict; the auto-configuration does so with
 * each bean.
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
	 * Whether all methods of this listener, and of the {@link RequestListener}s that it
	 * returns, return at once and never block. A quick listener may be called where
	 * something happens, so its figures are exact; others are called through a
	 * {@link ListenerQueue}.
	 * @return false unless the listener says otherwise
	 */
	default boolean isQuick() {
		return false;
	}

	/**
	 * A lease was lost before it was released. Never called on a thread that a node
	 * needs.
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

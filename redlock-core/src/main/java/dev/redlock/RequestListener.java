package dev.redlock;

import java.time.Duration;

import dev.redlock.spi.Vote;

/**
 * Listener for one request for a lock and its lease. A listener is never called on the
 * event loop. Exceptions and errors of a listener are logged and have no other effect.
 */
public interface RequestListener {

	/**
	 * Called when a node has voted in a try of this request, or timed out. All votes of a
	 * try are reported together when each node has answered or timed out, possibly after
	 * {@link #ended}.
	 * @param took the time from sending the request to the answer or timeout of the node
	 */
	default void voted(String node, Vote vote, Duration took) {
	}

	/**
	 * Called once when the request has ended. If {@link RedlockListener#isQuick()}
	 * returns true, the listener is called before the requesting code gets the outcome.
	 */
	default void ended(LockAttempt attempt) {
	}

	/**
	 * Called after each attempt to renew the lease, unless the lease was released or
	 * detached in the meantime.
	 */
	default void renewed(Lease lease, RenewalOutcome outcome) {
	}

	/**
	 * Called once when the lease was released, detached or lost, after {@link #ended}.
	 */
	default void holdEnded(Lease lease, HoldEnd end) {
	}

	/**
	 * The ways in which a lease can end.
	 */
	enum HoldEnd {

		/**
		 * The lease was released or detached while it was valid.
		 */
		RELEASED,

		/**
		 * The lease was lost before it was released.
		 */
		LOST

	}

	/**
	 * The outcome of an extension of a lease.
	 */
	enum RenewalOutcome {

		/**
		 * A majority of the nodes extended the lease in time.
		 */
		EXTENDED,

		/**
		 * Too few nodes answered, so the lease keeps its earlier validity.
		 */
		UNKNOWN,

		/**
		 * The lease is no longer valid.
		 */
		LOST

	}

}

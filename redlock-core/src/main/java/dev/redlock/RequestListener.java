package dev.redlock;

import java.time.Duration;

import dev.redlock.spi.Vote;

/**
 * Listener for one request for a lock and its lease. A listener is never called on a
 * thread that a node needs. Exceptions and errors of a listener are logged and have no
 * other effect.
 */
public interface RequestListener {

	/**
	 * Called when a node has voted in a try of this request, or timed out. The votes of a
	 * try are reported together when each node has answered or timed out, which may be
	 * after {@link #ended}.
	 * @param node the name of the node
	 * @param vote the vote of the node
	 * @param took the time from sending the request to the answer or timeout of the node
	 */
	default void voted(String node, Vote vote, Duration took) {
	}

	/**
	 * Called once when the request has ended. A quick listener is called before the
	 * caller has the outcome: on the caller's thread if the caller blocked for the
	 * outcome, otherwise on a thread for callbacks.
	 * @param attempt the outcome
	 */
	default void ended(LockAttempt attempt) {
	}

	/**
	 * Called when a renewal of the lease was tried.
	 * @param outcome the outcome of the renewal
	 */
	default void renewed(Lease lease, RenewalOutcome outcome) {
	}

	/**
	 * Called once when the lease is no longer held, after {@link #ended}. A quick
	 * listener is called on the thread that releases the lease, or on a thread for
	 * callbacks.
	 * @param end whether the lease was released or lost
	 */
	default void holdEnded(Lease lease, HoldEnd end) {
	}

	/**
	 * The ways in which a lease can end.
	 */
	enum HoldEnd {

		/**
		 * The lease was released while it was valid.
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
		 * A majority agreed in time.
		 */
		EXTENDED,

		/**
		 * Too few nodes answered; the old validity still applies.
		 */
		UNKNOWN,

		/**
		 * The lease is no longer valid.
		 */
		LOST

	}

}

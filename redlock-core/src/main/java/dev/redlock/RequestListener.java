package dev.redlock;

import java.time.Duration;

import dev.redlock.spi.Vote;

/**
 * Is told what becomes of one request for a lock, and of the lease that it won. Never
 * called on a thread that a node needs; whatever it throws, an {@code Error} too, is
 * logged and changes nothing.
 */
public interface RequestListener {

	/**
	 * A node has voted in an attempt of this request, or its time was over. Told for each
	 * node when all have answered or timed out: it may come after {@link #ended}.
	 * @param node the name of the node
	 * @param vote what it said
	 * @param took how long that took
	 */
	default void voted(String node, Vote vote, Duration took) {
	}

	/**
	 * The request has ended. Told once. A quick listener is told before the caller has
	 * the answer: on its thread if that waited, otherwise on a thread for callbacks.
	 * @param attempt how it ended
	 */
	default void ended(LockAttempt attempt) {
	}

	/**
	 * The lease was up for renewal.
	 * @param lease the lease
	 * @param outcome what became of it
	 */
	default void renewed(Lease lease, RenewalOutcome outcome) {
	}

	/**
	 * The lease is no longer held. Told once, after {@link #ended}. A quick listener is
	 * told on the thread that releases or hands over, or on a thread for callbacks.
	 * @param lease the lease
	 * @param end how the hold ended
	 */
	default void holdEnded(Lease lease, HoldEnd end) {
	}

}

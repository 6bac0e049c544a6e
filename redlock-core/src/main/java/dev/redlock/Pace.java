package dev.redlock;

import java.time.Duration;

/**
 * How fast the nodes are, as far as seen, and what follows for how long others are given
 * to react.
 */
final class Pace {

	private static final long SHORTEST_GRACE_NANOS = Duration.ofMillis(2).toNanos();

	private static final long LONGEST_GRACE_NANOS = Duration.ofMillis(100).toNanos();

	private static final int ROUNDS_PER_GRACE = 4;

	private static final int SMOOTHING = 8;

	// Updates that get lost between threads do no harm: it is an estimate.
	private volatile long roundNanos;

	/**
	 * Takes note of how long it took to decide a round.
	 */
	void took(long nanos) {
		long before = this.roundNanos;
		this.roundNanos = (before == 0) ? nanos : before + (nanos - before) / SMOOTHING;
	}

	/**
	 * In nanoseconds, the time in which somebody else who has heard of a release can have
	 * asked for the lock.
	 */
	long graceNanos() {
		long nanos = this.roundNanos * ROUNDS_PER_GRACE;
		return Math.max(SHORTEST_GRACE_NANOS, Math.min(LONGEST_GRACE_NANOS, nanos));
	}

}

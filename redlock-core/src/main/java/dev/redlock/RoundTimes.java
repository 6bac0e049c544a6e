package dev.redlock;

import java.time.Duration;

/**
 * How long rounds have taken so far, and for how long others are given to react because
 * of that.
 */
final class RoundTimes {

	private static final long SHORTEST_GRACE_NANOS = Duration.ofMillis(2).toNanos();

	private static final long LONGEST_GRACE_NANOS = Duration.ofMillis(100).toNanos();

	private static final int ROUNDS_PER_GRACE = 4;

	private static final int SMOOTHING = 8;

	private long averageNanos;

	/**
	 * Takes note of how long it took to decide a round.
	 */
	void took(long nanos) {
		this.averageNanos = (this.averageNanos == 0) ? nanos
				: this.averageNanos + (nanos - this.averageNanos) / SMOOTHING;
	}

	/**
	 * In nanoseconds, the time in which another process that has heard of a release can
	 * have asked for the lock.
	 */
	long graceNanos() {
		return Math.max(SHORTEST_GRACE_NANOS, Math.min(LONGEST_GRACE_NANOS, this.averageNanos * ROUNDS_PER_GRACE));
	}

}

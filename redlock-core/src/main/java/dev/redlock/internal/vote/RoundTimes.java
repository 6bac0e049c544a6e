package dev.redlock.internal.vote;

import java.time.Duration;

/**
 * Measures how long the nodes take to answer, to estimate how long another process's
 * attempt to acquire a lock takes.
 */
public final class RoundTimes {

	private static final long SHORTEST_GRACE_NANOS = Duration.ofMillis(2).toNanos();

	private static final long LONGEST_GRACE_NANOS = Duration.ofMillis(100).toNanos();

	private static final int ROUNDS_PER_GRACE = 4;

	private static final int SMOOTHING = 8;

	private long averageNanos;

	void took(long nanos) {
		this.averageNanos = (this.averageNanos == 0) ? nanos
				: this.averageNanos + (nanos - this.averageNanos) / SMOOTHING;
	}

	/**
	 * Returns the time that another process needs to ask for the lock after it has
	 * received a release.
	 */
	public long graceNanos() {
		return Math.max(SHORTEST_GRACE_NANOS, Math.min(LONGEST_GRACE_NANOS, this.averageNanos * ROUNDS_PER_GRACE));
	}

}

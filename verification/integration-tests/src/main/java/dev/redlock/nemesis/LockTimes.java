package dev.redlock.nemesis;

import java.time.Duration;

/**
 * How long locks of a driver live, and how long other things take with them.
 *
 * @param maxTtl the largest ttl that is ever asked for
 * @param leastTtl the shortest ttl of a lock
 * @param mostTtl the longest ttl of a lock, but of the last ones of a run
 * @param longestWork how long a holder works at most unless something holds it up
 */
record LockTimes(Duration maxTtl, Duration leastTtl, Duration mostTtl, Duration longestWork) {

	private static final LockTimes SHORT = new LockTimes(LockDriver.MAX_TTL, Duration.ofMillis(500),
			Duration.ofMillis(1_500), LockDriver.MAX_TTL);

	/**
	 * Holders work for a small part of the ttl, as most do, or a run has few locks.
	 */
	private static final LockTimes DEFAULTS = new LockTimes(Duration.ofSeconds(30), Duration.ofSeconds(30),
			Duration.ofSeconds(30), Duration.ofSeconds(1));

	static LockTimes of(Class<? extends LockDriver> driver) {
		return (driver == DefaultsDriver.class) ? DEFAULTS : SHORT;
	}

}

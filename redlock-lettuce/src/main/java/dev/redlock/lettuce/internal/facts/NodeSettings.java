package dev.redlock.lettuce.internal.facts;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import dev.redlock.spi.LockNode;

/**
 * The settings of the Redis nodes of a lock.
 *
 * @param maxTtl the largest ttl of any lock in the deployment
 * @param clockDriftFactor the share of a ttl by which leases end early because of clock
 * drift
 * @param allowEviction whether a server that may evict keys votes on locks
 * @param fresh whether the servers are new, so that no client can hold a lock on them yet
 * @param retention how long a node remembers the fence counter of an unused lock name
 */
public record NodeSettings(String keyPrefix, Duration maxTtl, double clockDriftFactor, boolean restartGuard,
		boolean allowEviction, boolean fresh, Duration retention, Duration nodeTimeout, Duration connectTimeout) {

	/**
	 * The time by which a restarted server waits longer than any lock lasts: twice the
	 * 250 ms in {@code LockScript.ACQUIRE}.
	 */
	private static final Duration MARGIN = Duration.ofMillis(500);

	public static final Duration CHECK_INTERVAL = Duration.ofSeconds(20);

	/**
	 * The largest number of unanswered commands, which a healthy server never reaches.
	 */
	public static final int LONGEST_QUEUE = 16_384;

	/**
	 * The least ttl of a fence counter, longer than the hour by which daylight saving
	 * time sets clocks back.
	 */
	private static final Duration LEAST_RETENTION = Duration.ofHours(3);

	private static final int RETENTION_IN_TTLS = 10;

	private static final Duration LEAST_OVERDUE = Duration.ofSeconds(2);

	private static final int OVERDUE_IN_TIMEOUTS = 5;

	/**
	 * Returns how long a server that may have forgotten locks does not vote on locks.
	 */
	public Duration quarantine() {
		return this.maxTtl.plusNanos((long) (this.maxTtl.toNanos() * this.clockDriftFactor)).plus(MARGIN);
	}

	/**
	 * Returns the largest accepted difference between a proposed fence, which is a
	 * client's time, and the server's clock. After a restart, a server votes only when
	 * its clock is ahead of all fences from before the restart.
	 */
	public long clockBoundMicros() {
		return this.maxTtl.toNanos() / 2_000;
	}

	public static Duration leastRetention(Duration maxTtl) {
		return longer(LEAST_RETENTION, maxTtl.multipliedBy(RETENTION_IN_TTLS));
	}

	public static Duration defaultRetention(Duration maxTtl) {
		return longer(LockNode.RETENTION, leastRetention(maxTtl));
	}

	/**
	 * Returns the ttl of a fence counter, which is longer than the ttl of the
	 * {@code Marker} key. If a step of the server's clock expires a fence counter, it
	 * expires the {@code Marker} too. Without its {@code Marker}, a server counts as
	 * restarted and must wait before it votes on locks.
	 */
	public Duration counterRetention() {
		return retention().plusNanos(TimeUnit.MICROSECONDS.toNanos(clockBoundMicros()));
	}

	/**
	 * Returns how long a server may give no answer before its connection is closed.
	 */
	public Duration overdue() {
		return longer(LEAST_OVERDUE, this.nodeTimeout.multipliedBy(OVERDUE_IN_TIMEOUTS));
	}

	private static Duration longer(Duration one, Duration other) {
		return (one.compareTo(other) > 0) ? one : other;
	}

}

package dev.redlock.lettuce;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import dev.redlock.spi.LockNode;

/**
 * The settings of the Redis nodes of a lock.
 *
 * @param keyPrefix the text at the beginning of every Redis key of the lock
 * @param maxTtl the largest ttl of any lock in the deployment
 * @param clockDriftFactor the share of a ttl by which leases end early because of clock
 * drift
 * @param restartGuard whether a server that may have forgotten locks does not vote until
 * the forgotten locks have expired
 * @param fresh whether the servers are new, so that no client can hold a lock on them yet
 * @param retention how long a node remembers the fence counter of an unused name, and
 * keeps its marker without a client; at least {@link #leastRetention}
 * @param nodeTimeout how long one answer of a server may take
 * @param connectTimeout how long connecting to a server may take
 */
record NodeSettings(String keyPrefix, Duration maxTtl, double clockDriftFactor, boolean restartGuard, boolean fresh,
		Duration retention, Duration nodeTimeout, Duration connectTimeout) {

	/**
	 * How much longer a restarted server waits than any lock lasts: twice the time that
	 * {@link LockScript#ACQUIRE} subtracts from the server's clock.
	 */
	private static final Duration MARGIN = Duration.ofMillis(500);

	/**
	 * The interval between checks of a server that may vote.
	 */
	static final Duration CHECK_INTERVAL = Duration.ofSeconds(20);

	/**
	 * The limit of unanswered commands to one server. A healthy server never has so many
	 * unanswered commands, and all of them fit into memory.
	 */
	static final int LONGEST_QUEUE = 16_384;

	/**
	 * The shortest retention of fence counters: two hours for changes of daylight saving
	 * time, and one more hour.
	 */
	private static final Duration LEAST_RETENTION = Duration.ofHours(3);

	private static final int RETENTION_IN_TTLS = 10;

	private static final Duration LEAST_OVERDUE = Duration.ofSeconds(2);

	private static final int OVERDUE_IN_TIMEOUTS = 5;

	/**
	 * Returns how long a server that may have forgotten locks does not vote.
	 * @return the longest time that a lock lasts by the clock of this client, and a
	 * margin
	 */
	Duration quarantine() {
		return this.maxTtl.plusNanos((long) (this.maxTtl.toNanos() * this.clockDriftFactor)).plus(MARGIN);
	}

	/**
	 * Returns how far the clock of a server may be from a proposed fence, in
	 * microseconds.
	 * @return half of the largest ttl. A server that may have forgotten fences waits
	 * longer than a ttl, so its clock is then above every forgotten fence
	 */
	long clockBoundMicros() {
		return this.maxTtl.toNanos() / 2_000;
	}

	/**
	 * Returns how much the clock of a server can gain unnoticed during the longest ttl of
	 * a lock. The lock ends each lease earlier by this gain.
	 * @return the largest unnoticed gain of a server's clock
	 */
	static Duration clockStep(Duration maxTtl) {
		return ClockWatch.unnoticed(maxTtl, CHECK_INTERVAL);
	}

	/**
	 * Returns the shortest accepted retention of fence counters.
	 * @return three hours or ten times the largest ttl, whichever is longer
	 */
	static Duration leastRetention(Duration maxTtl) {
		return longer(LEAST_RETENTION, maxTtl.multipliedBy(RETENTION_IN_TTLS));
	}

	/**
	 * Returns the retention of fence counters that suits most deployments.
	 * @return 30 hours or {@link #leastRetention}, whichever is longer
	 */
	static Duration defaultRetention(Duration maxTtl) {
		return longer(LockNode.RETENTION, leastRetention(maxTtl));
	}

	/**
	 * Returns how long a server keeps a fence counter after the time of its fence. A
	 * fence counter is kept longer than the marker. If the clock leaps so far that a
	 * counter expires too early, the marker has expired too. A server without its marker
	 * does not vote for a while.
	 */
	Duration counterRetention() {
		return retention().plusNanos(TimeUnit.MICROSECONDS.toNanos(clockBoundMicros()));
	}

	/**
	 * Returns how long a server may give no answer before its connection is closed.
	 * @return the largest age of the oldest unanswered command
	 */
	Duration overdue() {
		return longer(LEAST_OVERDUE, this.nodeTimeout.multipliedBy(OVERDUE_IN_TIMEOUTS));
	}

	private static Duration longer(Duration one, Duration other) {
		return (one.compareTo(other) > 0) ? one : other;
	}

}

package dev.redlock.lettuce;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import dev.redlock.spi.LockNode;

/**
 * The settings of the nodes of a lock.
 *
 * @param keyPrefix the prefix of all keys
 * @param maxTtl the largest ttl of any lock in the deployment
 * @param clockDriftFactor the share of a ttl that allows for clock drift
 * @param restartGuard whether a server that may have forgotten locks waits, before it
 * votes, until these locks have expired
 * @param fresh whether no lock can exist before this client first sees the servers
 * @param retention how long a node remembers the counter of a name that is not used, and
 * its marker without a client; at least {@link #leastRetention}
 * @param nodeTimeout how long one answer may take
 * @param connectTimeout the longest time to connect to a server
 */
record NodeSettings(String keyPrefix, Duration maxTtl, double clockDriftFactor, boolean restartGuard, boolean fresh,
		Duration retention, Duration nodeTimeout, Duration connectTimeout) {

	/**
	 * The time that a quarantine lasts longer than locks: twice the time that
	 * {@link LockScript#ACQUIRE} subtracts from the time of a node.
	 */
	private static final Duration MARGIN = Duration.ofMillis(500);

	/**
	 * The interval between checks of a server that may vote.
	 */
	static final Duration LOOK_PERIOD = Duration.ofSeconds(20);

	/**
	 * The limit of unanswered commands to one server. A healthy server never has so many
	 * unanswered commands, and so many commands still fit into memory.
	 */
	static final int LONGEST_QUEUE = 16_384;

	/**
	 * The least retention: twice the hour of daylight saving time, and an hour more.
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
	 * Returns how far the clock of a node may be from a proposed fence.
	 * @return half of the largest ttl, so that a quarantine, which is longer than a ttl,
	 * outlasts every fence that a node may have forgotten
	 */
	long clockBoundMicros() {
		return this.maxTtl.toNanos() / 2_000;
	}

	/**
	 * Returns how much the clock of a node can gain unnoticed during the longest ttl of a
	 * lock. This time shortens the validity of each lease.
	 * @param maxTtl the largest ttl of any lock in the deployment
	 * @return the time
	 */
	static Duration clockStep(Duration maxTtl) {
		return ClockWatch.unnoticed(maxTtl, LOOK_PERIOD);
	}

	/**
	 * Returns the shortest accepted retention of fence counters.
	 * @param maxTtl the largest ttl of any lock in the deployment
	 * @return three hours or ten times the largest ttl, whichever is longer
	 */
	static Duration leastRetention(Duration maxTtl) {
		return longer(LEAST_RETENTION, maxTtl.multipliedBy(RETENTION_IN_TTLS));
	}

	/**
	 * Returns the retention of fence counters that suits most deployments.
	 * @param maxTtl the largest ttl of any lock in the deployment
	 * @return 30 hours or {@link #leastRetention}, whichever is longer
	 */
	static Duration defaultRetention(Duration maxTtl) {
		return longer(LockNode.RETENTION, leastRetention(maxTtl));
	}

	/**
	 * Returns how long a fence counter is kept beyond the moment of its fence. A fence
	 * counter is kept longer than the marker. If the clock leaps so far that a counter
	 * expires too early, the marker expires too, and the server is quarantined.
	 * @return the retention
	 */
	Duration counterRetention() {
		return retention().plusNanos(TimeUnit.MICROSECONDS.toNanos(clockBoundMicros()));
	}

	/**
	 * Returns after which time without an answer a connection is closed.
	 * @return the age of the oldest unanswered command
	 */
	Duration overdue() {
		return longer(LEAST_OVERDUE, this.nodeTimeout.multipliedBy(OVERDUE_IN_TIMEOUTS));
	}

	private static Duration longer(Duration one, Duration other) {
		return (one.compareTo(other) > 0) ? one : other;
	}

}

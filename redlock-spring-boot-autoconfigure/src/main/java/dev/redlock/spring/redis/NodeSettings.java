package dev.redlock.spring.redis;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * What nodes must know of the lock that asks them.
 *
 * @param keyPrefix put before the names of keys
 * @param maxTtl the largest ttl of any lock in the deployment
 * @param clockDriftFactor the share of a ttl that is given to clock drift
 * @param restartGuard whether a server that may have forgotten locks waits until they
 * have expired before it votes
 * @param fresh whether nobody can have locked anything before this client saw the servers
 * for the first time
 * @param nodeTimeout how long one answer may take
 * @param connectTimeout how long it may take to connect
 */
public record NodeSettings(String keyPrefix, Duration maxTtl, double clockDriftFactor, boolean restartGuard,
		boolean fresh, Duration nodeTimeout, Duration connectTimeout) {

	/**
	 * Twice what {@link LockScript#ACQUIRE} takes off the time of a node.
	 */
	private static final Duration MARGIN = Duration.ofMillis(500);

	/**
	 * How often a server that may vote is looked at again.
	 */
	static final Duration LOOK_PERIOD = Duration.ofSeconds(20);

	/**
	 * How many commands may wait for one server: more than a healthy one ever has open,
	 * few enough not to hurt.
	 */
	static final int LONGEST_QUEUE = 16_384;

	private static final Duration LEAST_RETENTION = Duration.ofDays(7);

	private static final int RETENTION_IN_TTLS = 10;

	private static final Duration LEAST_OVERDUE = Duration.ofSeconds(2);

	private static final int OVERDUE_IN_TIMEOUTS = 5;

	/**
	 * Creates the settings for servers that others may have used before.
	 * @param keyPrefix put before the names of keys
	 * @param maxTtl the largest ttl of any lock in the deployment
	 * @param clockDriftFactor the share of a ttl that is given to clock drift
	 * @param restartGuard whether a server that may have forgotten locks waits
	 * @param nodeTimeout how long one answer may take
	 * @param connectTimeout how long it may take to connect
	 */
	public NodeSettings(String keyPrefix, Duration maxTtl, double clockDriftFactor, boolean restartGuard,
			Duration nodeTimeout, Duration connectTimeout) {
		this(keyPrefix, maxTtl, clockDriftFactor, restartGuard, false, nodeTimeout, connectTimeout);
	}

	/**
	 * How long a server that may have forgotten locks does not vote.
	 * @return the longest life of a lock by the clock of this client, and a margin
	 */
	Duration quarantine() {
		return this.maxTtl.plusNanos((long) (this.maxTtl.toNanos() * this.clockDriftFactor)).plus(MARGIN);
	}

	/**
	 * How far the clock of a node may be from a proposed fence.
	 * @return half of the largest ttl: a quarantine, which is longer than a ttl, then
	 * outlasts every fence that a node may have forgotten
	 */
	long clockBoundMicros() {
		return this.maxTtl.toNanos() / 2_000;
	}

	/**
	 * By how much the clock of a node can gain during the longest life of a lock before
	 * it is seen to have stepped. Leases are valid for that much less.
	 * @param maxTtl the largest ttl of any lock in the deployment
	 * @return the time
	 */
	public static Duration clockStep(Duration maxTtl) {
		return ClockWatch.unnoticed(maxTtl, LOOK_PERIOD);
	}

	/**
	 * How long the marker of a server's data lasts when no client makes it last longer.
	 * @return the retention
	 */
	Duration retention() {
		Duration byTtl = this.maxTtl.multipliedBy(RETENTION_IN_TTLS);
		return (byTtl.compareTo(LEAST_RETENTION) > 0) ? byTtl : LEAST_RETENTION;
	}

	/**
	 * How long a counter is kept beyond the moment that its fence stands for. It outlasts
	 * the marker: a leap of the clock that ends a counter which may still be ahead of the
	 * true time ends the marker, too, and the server is quarantined.
	 * @return the retention
	 */
	Duration counterRetention() {
		return retention().plusNanos(TimeUnit.MICROSECONDS.toNanos(clockBoundMicros()));
	}

	/**
	 * When a connection without an answer is given up.
	 * @return the age of the oldest unanswered command
	 */
	Duration overdue() {
		Duration byTimeout = this.nodeTimeout.multipliedBy(OVERDUE_IN_TIMEOUTS);
		return (byTimeout.compareTo(LEAST_OVERDUE) > 0) ? byTimeout : LEAST_OVERDUE;
	}

}

package dev.redlock.lettuce;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import dev.redlock.spi.LockNode;

/**
 * The settings of the Redis nodes of a lock.
 *
 * @param maxTtl the largest ttl of any lock in the deployment
 * @param clockDriftFactor the share of a ttl by which leases end early because of clock
 * drift
 * @param fresh whether the servers are new, so that no client can hold a lock on them yet
 * @param retention how long a node remembers the fence counter of an unused lock name
 */
record NodeSettings(String keyPrefix, Duration maxTtl, double clockDriftFactor, boolean restartGuard, boolean fresh,
		Duration retention, Duration nodeTimeout, Duration connectTimeout) {

	/**
	 * A restarted server waits this much longer than any lock lasts: twice the time that
	 * {@link LockScript#ACQUIRE} subtracts from its clock.
	 */
	private static final Duration MARGIN = Duration.ofMillis(500);

	static final Duration CHECK_INTERVAL = Duration.ofSeconds(20);

	/**
	 * A healthy server never leaves this many commands unanswered, and this many commands
	 * fit into memory.
	 */
	static final int LONGEST_QUEUE = 16_384;

	/**
	 * Fence counters must outlive a clock that is set back for daylight saving time.
	 */
	private static final Duration LEAST_RETENTION = Duration.ofHours(3);

	private static final int RETENTION_IN_TTLS = 10;

	private static final Duration LEAST_OVERDUE = Duration.ofSeconds(2);

	private static final int OVERDUE_IN_TIMEOUTS = 5;

	/**
	 * Returns how long a server that may have forgotten locks does not vote on locks.
	 */
	Duration quarantine() {
		return this.maxTtl.plusNanos((long) (this.maxTtl.toNanos() * this.clockDriftFactor)).plus(MARGIN);
	}

	/**
	 * Returns by how much a proposed fence, which is a client's time, may differ from the
	 * clock of the server. A server that may have forgotten fences waits longer than a
	 * ttl, so its clock is then above every forgotten fence.
	 */
	long clockBoundMicros() {
		return this.maxTtl.toNanos() / 2_000;
	}

	/**
	 * Returns how far a server's clock can get ahead of this client's clock, without
	 * being noticed, while a lock is held. Each lease ends early by the time that a
	 * server's clock can get ahead unnoticed.
	 */
	static Duration clockStep(Duration maxTtl) {
		return ClockWatch.unnoticed(maxTtl, CHECK_INTERVAL);
	}

	static Duration leastRetention(Duration maxTtl) {
		return longer(LEAST_RETENTION, maxTtl.multipliedBy(RETENTION_IN_TTLS));
	}

	static Duration defaultRetention(Duration maxTtl) {
		return longer(LockNode.RETENTION, leastRetention(maxTtl));
	}

	/**
	 * A fence counter is kept longer than the {@link Marker}. If a leap of the server's
	 * clock ends a fence counter too early, the marker has expired too. A server without
	 * its marker does not vote on locks for a while.
	 */
	Duration counterRetention() {
		return retention().plusNanos(TimeUnit.MICROSECONDS.toNanos(clockBoundMicros()));
	}

	/**
	 * Returns how long a server may give no answer before its connection is closed.
	 */
	Duration overdue() {
		return longer(LEAST_OVERDUE, this.nodeTimeout.multipliedBy(OVERDUE_IN_TIMEOUTS));
	}

	private static Duration longer(Duration one, Duration other) {
		return (one.compareTo(other) > 0) ? one : other;
	}

}

package dev.redlock;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link Redlock} assumes where a {@link LockRequest} is silent, and its limits.
 *
 * @param keyPrefix put before each resource to make its key
 * @param owner the label that others see while this process holds a lock; may be empty
 * @param ttl the time after which the nodes forget a lock
 * @param maxTtl the largest ttl that is accepted
 * @param waitFor how long to wait for a lock; zero is one attempt
 * @param retryCount at most so many retries while waiting; -1 for no limit
 * @param retryDelay the upper end of the random delay between tries; at least 1 ms
 * @param clockDriftFactor the share of the ttl that is given to clock drift
 * @param nodeTimeout how long to wait for one node; null for 5 % of the ttl, between 20
 * ms and 1 s
 * @param renew whether leases are renewed until they are released
 * @param maxHold renewal stops after this much time in total
 * @param maxRenewals renewal stops after this many extensions
 * @param fencing whether leases carry a fence
 * @param awaitRelease whether closing a lease waits until a majority has confirmed
 * @param shutdownTimeout how long closing the lock may take to release what is held
 * @param lockDelay how long the nodes keep a lock beyond its ttl when nobody released it;
 * zero for no longer
 * @param clockStep how far the clock of a node may step ahead before the node is seen to
 * have stepped; taken off the validity of every lease. Zero where nodes are not watched
 */
public record RedlockSettings(String keyPrefix, String owner, Duration ttl, Duration maxTtl, Duration waitFor,
		int retryCount, Duration retryDelay, double clockDriftFactor, @Nullable Duration nodeTimeout, boolean renew,
		Duration maxHold, int maxRenewals, boolean fencing, boolean awaitRelease, Duration shutdownTimeout,
		Duration lockDelay, Duration clockStep) {

	private static final Duration SHORTEST_NODE_TIMEOUT = Duration.ofMillis(20);

	private static final Duration LONGEST_NODE_TIMEOUT = Duration.ofSeconds(1);

	private static final Duration SHORTEST_RETRY_DELAY = Duration.ofMillis(1);

	private static final Duration FOR_EVER = Duration.ofDays(36_500);

	private static final Duration FIXED_DRIFT = Duration.ofMillis(2);

	/**
	 * The settings of a lock that was told nothing.
	 */
	public static final RedlockSettings DEFAULTS = new RedlockSettings("redlock:", "", Duration.ofSeconds(30),
			Duration.ofSeconds(60), Duration.ofSeconds(5), -1, Duration.ofMillis(200), 0.01, null, false,
			Duration.ofMinutes(10), 10_000, true, false, Duration.ofSeconds(5), Duration.ZERO);

	/**
	 * Checks the values, each by itself and against each other.
	 */
	public RedlockSettings {
		positive("ttl", ttl);
		positive("max-ttl", maxTtl);
		notNegative("wait-for", waitFor);
		checkRetryDelay("retry.delay", retryDelay);
		positive("renew.max-hold", maxHold);
		notNegative("shutdown-timeout", shutdownTimeout);
		notNegative("lock-delay", lockDelay);
		notNegative("clock-step", clockStep);
		maxTtl = longest(maxTtl);
		waitFor = longest(waitFor);
		maxHold = longest(maxHold);
		shutdownTimeout = longest(shutdownTimeout);
		if (nodeTimeout != null) {
			positive("node-timeout", nodeTimeout);
		}
		if (retryCount < -1) {
			throw new IllegalArgumentException("retry.count is -1 for no limit, 0, or more, not " + retryCount);
		}
		if (maxRenewals < 0) {
			throw new IllegalArgumentException("renew.max-count must be zero or more, not " + maxRenewals);
		}
		if (!(clockDriftFactor >= 0 && clockDriftFactor < 1)) {
			throw new IllegalArgumentException(
					"clock-drift-factor is a share from 0 to below 1, not " + clockDriftFactor);
		}
		checkMaxTtl(ttl, lockDelay, maxTtl);
		checkNodeTimeout(ttl, nodeTimeout, clockDriftFactor, clockStep);
	}

	/**
	 * Creates settings for nodes whose clocks are not watched.
	 * @param keyPrefix put before each resource to make its key
	 * @param owner the label that others see while this process holds a lock
	 * @param ttl the time after which the nodes forget a lock
	 * @param maxTtl the largest ttl that is accepted
	 * @param waitFor how long to wait for a lock
	 * @param retryCount at most so many retries while waiting
	 * @param retryDelay the upper end of the random delay between tries
	 * @param clockDriftFactor the share of the ttl that is given to clock drift
	 * @param nodeTimeout how long to wait for one node
	 * @param renew whether leases are renewed until they are released
	 * @param maxHold renewal stops after this much time in total
	 * @param maxRenewals renewal stops after this many extensions
	 * @param fencing whether leases carry a fence
	 * @param awaitRelease whether closing a lease waits for a majority
	 * @param shutdownTimeout how long closing the lock may take
	 * @param lockDelay how long the nodes keep a lock beyond its ttl
	 */
	public RedlockSettings(String keyPrefix, String owner, Duration ttl, Duration maxTtl, Duration waitFor,
			int retryCount, Duration retryDelay, double clockDriftFactor, @Nullable Duration nodeTimeout, boolean renew,
			Duration maxHold, int maxRenewals, boolean fencing, boolean awaitRelease, Duration shutdownTimeout,
			Duration lockDelay) {
		this(keyPrefix, owner, ttl, maxTtl, waitFor, retryCount, retryDelay, clockDriftFactor, nodeTimeout, renew,
				maxHold, maxRenewals, fencing, awaitRelease, shutdownTimeout, lockDelay, Duration.ZERO);
	}

	/**
	 * With another allowance for what the clock of a node gains.
	 * @param clockStep how far a clock may step ahead without being noticed
	 * @return the settings
	 */
	public RedlockSettings withClockStep(Duration clockStep) {
		return new RedlockSettings(this.keyPrefix, this.owner, this.ttl, this.maxTtl, this.waitFor, this.retryCount,
				this.retryDelay, this.clockDriftFactor, this.nodeTimeout, this.renew, this.maxHold, this.maxRenewals,
				this.fencing, this.awaitRelease, this.shutdownTimeout, this.lockDelay, clockStep);
	}

	/**
	 * How long to wait for one node when a lock has the given ttl.
	 * @param ttl the ttl of the lock
	 * @return the configured node timeout, or 5 % of the ttl, between 20 ms and 1 s
	 */
	public Duration nodeTimeoutFor(Duration ttl) {
		return nodeTimeoutFor(ttl, this.nodeTimeout);
	}

	/**
	 * Checks that a lock with the given ttl could ever be held.
	 * @param ttl the ttl of the lock
	 * @param driftFactor the share of the ttl that is given to clock drift
	 * @throws IllegalArgumentException if it could not, with what to change
	 */
	public void checkTtl(Duration ttl, double driftFactor) {
		checkMaxTtl(ttl, this.lockDelay, this.maxTtl);
		checkNodeTimeout(ttl, this.nodeTimeout, driftFactor, this.clockStep);
	}

	/**
	 * What is taken off a ttl because clocks do not run alike: the factor's share, and 2
	 * ms for the granularity of expiry.
	 */
	static Duration drift(Duration ttl, double driftFactor) {
		return FIXED_DRIFT.plusNanos((long) Math.ceil(ttl.toNanos() * driftFactor));
	}

	/**
	 * A shorter delay would flood the nodes with questions.
	 */
	static void checkRetryDelay(String name, @Nullable Duration value) {
		if (value != null && value.compareTo(SHORTEST_RETRY_DELAY) < 0) {
			throw new IllegalArgumentException(
					name + " must be at least " + text(SHORTEST_RETRY_DELAY) + ", not " + value);
		}
	}

	/**
	 * What is longer than anybody waits counts as a hundred years, so that for ever can
	 * be said, and sums fit.
	 */
	static Duration longest(Duration duration) {
		return (duration.compareTo(FOR_EVER) > 0) ? FOR_EVER : duration;
	}

	private static Duration nodeTimeoutFor(Duration ttl, @Nullable Duration configured) {
		if (configured != null) {
			return configured;
		}
		// As a number, since a division of durations is a hundred times as slow.
		Duration share = Duration.ofNanos(ttl.toNanos() / 20);
		if (share.compareTo(SHORTEST_NODE_TIMEOUT) < 0) {
			return SHORTEST_NODE_TIMEOUT;
		}
		return (share.compareTo(LONGEST_NODE_TIMEOUT) > 0) ? LONGEST_NODE_TIMEOUT : share;
	}

	/**
	 * No node may have a lock to forget for longer than it would be in quarantine.
	 */
	private static void checkMaxTtl(Duration ttl, Duration lockDelay, Duration maxTtl) {
		if (ttl.compareTo(maxTtl) > 0) {
			throw new IllegalArgumentException("The ttl of " + text(ttl) + " is over the max-ttl of " + text(maxTtl)
					+ ". Ask for a shorter ttl and turn on renewal, or raise redlock.max-ttl on every client.");
		}
		Duration kept = ttl.plus(lockDelay);
		if (kept.compareTo(maxTtl) > 0) {
			throw new IllegalArgumentException("The ttl of " + text(ttl) + " and the lock-delay of " + text(lockDelay)
					+ " make " + text(kept) + ", which is over the max-ttl of " + text(maxTtl)
					+ ". Ask for a shorter ttl, lower redlock.lock-delay, or raise redlock.max-ttl on every client.");
		}
	}

	private static void checkNodeTimeout(Duration ttl, @Nullable Duration configuredNodeTimeout, double driftFactor,
			Duration clockStep) {
		Duration nodeTimeout = nodeTimeoutFor(ttl, configuredNodeTimeout);
		Duration drift = drift(ttl, driftFactor).plus(clockStep);
		if (ttl.minus(nodeTimeout).minus(drift).compareTo(Duration.ZERO) <= 0) {
			throw new IllegalArgumentException("The ttl of " + text(ttl) + " is too small: the node timeout takes "
					+ text(nodeTimeout) + " and clocks " + text(drift)
					+ " of it, and nothing is left. Raise the ttl, or lower redlock.node-timeout or redlock.max-ttl.");
		}
	}

	private static String text(Duration duration) {
		return duration.toMillis() + " ms";
	}

	private static void positive(String name, Duration value) {
		if (value.isNegative() || value.isZero()) {
			throw new IllegalArgumentException(name + " must be more than zero, not " + text(value));
		}
	}

	private static void notNegative(String name, Duration value) {
		if (value.isNegative()) {
			throw new IllegalArgumentException(name + " must be zero or more, not " + text(value));
		}
	}

}

package dev.redlock;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The defaults and limits for the locks of a {@link Redlock}. The settings fill in the
 * values that a {@link LockRequest} leaves out. Settings are immutable and made by
 * {@link #builder()}.
 *
 * @param keyPrefix the prefix of the Redis keys of all locks
 * @param owner the label of this process that others see while it holds a lock; may be
 * empty
 * @param ttl the time after which the nodes forget a lock
 * @param maxTtl the largest ttl that is accepted
 * @param waitFor how long a request waits for its lock; zero for a single try
 * @param retryCount the maximum number of retries of a request that waits; -1 for no
 * limit
 * @param retryDelay the upper limit of the random delay between two tries; the limit must
 * be at least 1 ms
 * @param clockDriftFactor the share of the ttl that is subtracted from the validity
 * because clocks run at different speeds
 * @param nodeTimeout how long to wait for the answer of one node; null for 5 % of the
 * ttl, between 20 ms and 1 s
 * @param renew whether leases are renewed until they are released
 * @param maxHold the longest time for which a lease is renewed, counted from its
 * acquisition
 * @param fencing whether each lease has a fence (fencing token)
 * @param awaitRelease whether closing a lease waits until it is certain whether a
 * majority confirms the release, for twice the node timeout at most
 * @param shutdownTimeout how long closing the {@link Redlock} waits for work that still
 * runs under a lease
 * @param releaseRunning whether the keys of work that still runs after the shutdown
 * timeout are deleted, instead of kept until they expire
 * @param lockDelay the time for which the nodes keep an unreleased lock after its ttl
 * @param clockStep how far the clock of a node may jump ahead unnoticed, subtracted from
 * the validity of every lease
 */
public record RedlockSettings(String keyPrefix, String owner, Duration ttl, Duration maxTtl, Duration waitFor,
		int retryCount, Duration retryDelay, double clockDriftFactor, @Nullable Duration nodeTimeout, boolean renew,
		Duration maxHold, boolean fencing, boolean awaitRelease, Duration shutdownTimeout, boolean releaseRunning,
		Duration lockDelay, Duration clockStep) {

	private static final Duration SHORTEST_NODE_TIMEOUT = Duration.ofMillis(20);

	private static final Duration LONGEST_NODE_TIMEOUT = Duration.ofSeconds(1);

	private static final Duration SHORTEST_RETRY_DELAY = Duration.ofMillis(1);

	private static final Duration LONGEST = Duration.ofDays(36_500);

	private static final long FIXED_DRIFT_NANOS = 2_000_000;

	/**
	 * The default of every setting.
	 */
	public static final RedlockSettings DEFAULTS = new RedlockSettings("redlock:", "", Duration.ofSeconds(30),
			Duration.ofSeconds(30), Duration.ofSeconds(5), -1, Duration.ofMillis(200), 0.01, null, false,
			Duration.ofMinutes(10), true, false, Duration.ofSeconds(20), false, Duration.ZERO, Duration.ZERO);

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
		retryDelay = longest(retryDelay);
		maxHold = longest(maxHold);
		shutdownTimeout = longest(shutdownTimeout);
		positive("node-timeout", nodeTimeout);
		checkRetryCount("retry.count", retryCount);
		checkDriftFactor("clock-drift-factor", clockDriftFactor);
		checkMaxTtl(ttl, lockDelay, maxTtl);
		checkNodeTimeout(ttl, nodeTimeout, clockDriftFactor, clockStep);
	}

	/**
	 * Returns a builder with the default of every setting.
	 */
	public static Builder builder() {
		return DEFAULTS.toBuilder();
	}

	/**
	 * Returns a builder that begins with these settings, to change some settings.
	 */
	public Builder toBuilder() {
		return new Builder();
	}

	/**
	 * Returns how long to wait for one node when a lock has the given ttl.
	 */
	public Duration nodeTimeoutFor(Duration ttl) {
		return nodeTimeoutFor(ttl, this.nodeTimeout);
	}

	/**
	 * Checks that a ttl is at most {@code maxTtl}, and that the ttl exceeds the node
	 * timeout and {@link #lostNanos} together.
	 * @throws IllegalArgumentException if the ttl is too long or too short; the message
	 * says what to change
	 */
	public void checkTtl(Duration ttl, double driftFactor) {
		checkMaxTtl(ttl, this.lockDelay, this.maxTtl);
		checkNodeTimeout(ttl, this.nodeTimeout, driftFactor, this.clockStep);
	}

	/**
	 * Returns by how many nanoseconds the validity of a lease is shorter than its ttl,
	 * because clocks differ. The validity is shorter by the share for clock drift, by 2
	 * ms for the granularity of expiry in Redis, and by {@code clockStep}.
	 */
	public static long lostNanos(Duration ttl, double driftFactor, Duration clockStep) {
		return (long) Math.ceil(ttl.toNanos() * driftFactor) + FIXED_DRIFT_NANOS + clockStep.toNanos();
	}

	static void positive(String name, @Nullable Duration value) {
		if (value != null && (value.isNegative() || value.isZero())) {
			throw new IllegalArgumentException(name + " must be more than zero, not " + value);
		}
	}

	static void notNegative(String name, @Nullable Duration value) {
		if (value != null && value.isNegative()) {
			throw new IllegalArgumentException(name + " must be zero or more, not " + value);
		}
	}

	static void checkRetryCount(String name, @Nullable Integer value) {
		if (value != null && value < -1) {
			throw new IllegalArgumentException(name + " must be -1 for no limit, or 0 or more, not " + value);
		}
	}

	static void checkDriftFactor(String name, @Nullable Double value) {
		if (value != null && !(value >= 0 && value < 1)) {
			throw new IllegalArgumentException(name + " must be a share of at least 0 and less than 1, not " + value);
		}
	}

	/**
	 * Checks that retries do not flood the nodes with requests.
	 */
	static void checkRetryDelay(String name, @Nullable Duration value) {
		if (value != null && value.compareTo(SHORTEST_RETRY_DELAY) < 0) {
			throw new IllegalArgumentException(
					name + " must be at least " + text(SHORTEST_RETRY_DELAY) + ", not " + value);
		}
	}

	/**
	 * Limits a duration to a hundred years, so that long durations can be added without
	 * an overflow.
	 */
	static Duration longest(Duration duration) {
		return (duration.compareTo(LONGEST) > 0) ? LONGEST : duration;
	}

	private static Duration nodeTimeoutFor(Duration ttl, @Nullable Duration configured) {
		if (configured != null) {
			return configured;
		}
		// Dividing a Duration is a hundred times slower than dividing nanoseconds.
		long share = ttl.toNanos() / 20;
		return Duration
			.ofNanos(Math.max(SHORTEST_NODE_TIMEOUT.toNanos(), Math.min(LONGEST_NODE_TIMEOUT.toNanos(), share)));
	}

	/**
	 * Checks that no lock outlives {@code maxTtl}, because a restarted node votes again
	 * after that time.
	 */
	private static void checkMaxTtl(Duration ttl, Duration lockDelay, Duration maxTtl) {
		if (ttl.compareTo(maxTtl) > 0) {
			throw new IllegalArgumentException("The ttl of " + text(ttl) + " is over the max-ttl of " + text(maxTtl)
					+ ". Ask for a shorter ttl and turn on renewal, or raise redlock.max-ttl on every client.");
		}
		Duration longest = ttl.plus(lockDelay);
		if (longest.compareTo(maxTtl) > 0) {
			throw new IllegalArgumentException("""
					The ttl of %s plus the lock-delay of %s is over the max-ttl of %s. Set on every client

					    redlock.lock-delay=%s
					    redlock.max-ttl=%s

					or lower redlock.lock-delay, or ask for a shorter ttl.""".formatted(text(ttl), text(lockDelay),
					text(maxTtl), property(lockDelay), property(longest)));
		}
	}

	private static void checkNodeTimeout(Duration ttl, @Nullable Duration configuredNodeTimeout, double driftFactor,
			Duration clockStep) {
		Duration nodeTimeout = nodeTimeoutFor(ttl, configuredNodeTimeout);
		long lost = lostNanos(ttl, driftFactor, clockStep);
		if (nodeTimeout.compareTo(ttl.minusNanos(lost)) >= 0) {
			throw new IllegalArgumentException("The ttl of " + text(ttl) + " is too small: the node timeout takes "
					+ text(nodeTimeout) + " and clock drift takes " + text(Duration.ofNanos(lost))
					+ (clockStep.isZero() ? "" : " (more with a larger redlock.max-ttl)")
					+ ", so nothing is left. Raise the ttl, or lower redlock.node-timeout"
					+ (clockStep.isZero() ? "." : " or redlock.max-ttl."));
		}
	}

	private static String property(Duration duration) {
		return text(duration).replace(" ", "");
	}

	private static String text(Duration duration) {
		return (duration.compareTo(LONGEST) > 0) ? duration.toString() : duration.toMillis() + " ms";
	}

	/**
	 * A builder for {@link RedlockSettings}.
	 */
	public final class Builder {

		private String keyPrefix = RedlockSettings.this.keyPrefix;

		private String owner = RedlockSettings.this.owner;

		private Duration ttl = RedlockSettings.this.ttl;

		private Duration maxTtl = RedlockSettings.this.maxTtl;

		private Duration waitFor = RedlockSettings.this.waitFor;

		private int retryCount = RedlockSettings.this.retryCount;

		private Duration retryDelay = RedlockSettings.this.retryDelay;

		private double clockDriftFactor = RedlockSettings.this.clockDriftFactor;

		private @Nullable Duration nodeTimeout = RedlockSettings.this.nodeTimeout;

		private boolean renew = RedlockSettings.this.renew;

		private Duration maxHold = RedlockSettings.this.maxHold;

		private boolean fencing = RedlockSettings.this.fencing;

		private boolean awaitRelease = RedlockSettings.this.awaitRelease;

		private Duration shutdownTimeout = RedlockSettings.this.shutdownTimeout;

		private boolean releaseRunning = RedlockSettings.this.releaseRunning;

		private Duration lockDelay = RedlockSettings.this.lockDelay;

		private Duration clockStep = RedlockSettings.this.clockStep;

		private Builder() {
		}

		/**
		 * Sets the prefix of the Redis keys of all locks.
		 */
		public Builder keyPrefix(String keyPrefix) {
			this.keyPrefix = keyPrefix;
			return this;
		}

		/**
		 * Sets the label of this process that others see while it holds a lock.
		 */
		public Builder owner(String owner) {
			this.owner = owner;
			return this;
		}

		/**
		 * Sets the time after which the nodes forget a lock.
		 */
		public Builder ttl(Duration ttl) {
			this.ttl = ttl;
			return this;
		}

		/**
		 * Sets the largest ttl that is accepted.
		 */
		public Builder maxTtl(Duration maxTtl) {
			this.maxTtl = maxTtl;
			return this;
		}

		/**
		 * Sets how long a request waits for its lock; zero for a single try.
		 */
		public Builder waitFor(Duration waitFor) {
			this.waitFor = waitFor;
			return this;
		}

		/**
		 * Sets the maximum number of retries of a request that waits; -1 for no limit.
		 */
		public Builder retryCount(int retryCount) {
			this.retryCount = retryCount;
			return this;
		}

		/**
		 * Sets the longest random delay between two tries of a request.
		 */
		public Builder retryDelay(Duration retryDelay) {
			this.retryDelay = retryDelay;
			return this;
		}

		/**
		 * Sets the share of the ttl that is subtracted from the validity because clocks
		 * run at different speeds.
		 */
		public Builder clockDriftFactor(double clockDriftFactor) {
			this.clockDriftFactor = clockDriftFactor;
			return this;
		}

		/**
		 * Sets how long to wait for the answer of one node; null for 5 % of the ttl, but
		 * at least 20 ms and at most 1 s.
		 */
		public Builder nodeTimeout(@Nullable Duration nodeTimeout) {
			this.nodeTimeout = nodeTimeout;
			return this;
		}

		/**
		 * Sets whether leases are renewed until they are released.
		 */
		public Builder renew(boolean renew) {
			this.renew = renew;
			return this;
		}

		/**
		 * Sets the longest time for which a lease is renewed, counted from its
		 * acquisition.
		 */
		public Builder maxHold(Duration maxHold) {
			this.maxHold = maxHold;
			return this;
		}

		/**
		 * Sets whether each lease has a fence (fencing token).
		 */
		public Builder fencing(boolean fencing) {
			this.fencing = fencing;
			return this;
		}

		/**
		 * Sets whether closing a lease waits until a majority has confirmed the release.
		 */
		public Builder awaitRelease(boolean awaitRelease) {
			this.awaitRelease = awaitRelease;
			return this;
		}

		/**
		 * Sets how long closing the {@link Redlock} waits for work that still runs under
		 * a lease.
		 */
		public Builder shutdownTimeout(Duration shutdownTimeout) {
			this.shutdownTimeout = shutdownTimeout;
			return this;
		}

		/**
		 * Sets whether the keys of work that still runs after the shutdown timeout are
		 * deleted.
		 */
		public Builder releaseRunning(boolean releaseRunning) {
			this.releaseRunning = releaseRunning;
			return this;
		}

		/**
		 * Sets the time for which the nodes keep an unreleased lock after its ttl.
		 */
		public Builder lockDelay(Duration lockDelay) {
			this.lockDelay = lockDelay;
			return this;
		}

		/**
		 * Sets how far the clock of a node may jump ahead unnoticed.
		 */
		public Builder clockStep(Duration clockStep) {
			this.clockStep = clockStep;
			return this;
		}

		/**
		 * Checks the values and builds the settings.
		 * @throws IllegalArgumentException if a value is out of range or contradicts
		 * another value
		 */
		public RedlockSettings build() {
			return new RedlockSettings(this.keyPrefix, this.owner, this.ttl, this.maxTtl, this.waitFor, this.retryCount,
					this.retryDelay, this.clockDriftFactor, this.nodeTimeout, this.renew, this.maxHold, this.fencing,
					this.awaitRelease, this.shutdownTimeout, this.releaseRunning, this.lockDelay, this.clockStep);
		}

	}

}

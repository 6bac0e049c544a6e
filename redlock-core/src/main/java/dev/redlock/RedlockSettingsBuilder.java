package dev.redlock;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Builds {@link RedlockSettings}, whose parameters describe each setting. The values are
 * checked when they are complete, by {@link #build()}.
 */
public final class RedlockSettingsBuilder {

	private String keyPrefix = "redlock:";

	private String owner = "";

	private Duration ttl = Duration.ofSeconds(30);

	private Duration maxTtl = Duration.ofSeconds(60);

	private Duration waitFor = Duration.ofSeconds(5);

	private int retryCount = -1;

	private Duration retryDelay = Duration.ofMillis(200);

	private double clockDriftFactor = 0.01;

	private @Nullable Duration nodeTimeout;

	private boolean renew;

	private Duration maxHold = Duration.ofMinutes(10);

	private int maxRenewals = 10_000;

	private boolean fencing = true;

	private boolean awaitRelease;

	private Duration shutdownTimeout = Duration.ofSeconds(5);

	private Duration lockDelay = Duration.ZERO;

	private Duration clockStep = Duration.ZERO;

	RedlockSettingsBuilder() {
	}

	RedlockSettingsBuilder(RedlockSettings settings) {
		this.keyPrefix = settings.keyPrefix();
		this.owner = settings.owner();
		this.ttl = settings.ttl();
		this.maxTtl = settings.maxTtl();
		this.waitFor = settings.waitFor();
		this.retryCount = settings.retryCount();
		this.retryDelay = settings.retryDelay();
		this.clockDriftFactor = settings.clockDriftFactor();
		this.nodeTimeout = settings.nodeTimeout();
		this.renew = settings.renew();
		this.maxHold = settings.maxHold();
		this.maxRenewals = settings.maxRenewals();
		this.fencing = settings.fencing();
		this.awaitRelease = settings.awaitRelease();
		this.shutdownTimeout = settings.shutdownTimeout();
		this.lockDelay = settings.lockDelay();
		this.clockStep = settings.clockStep();
	}

	/**
	 * Sets the key prefix.
	 * @param keyPrefix the text in front of each resource that makes it a Redis key
	 * @return this builder
	 */
	public RedlockSettingsBuilder keyPrefix(String keyPrefix) {
		this.keyPrefix = keyPrefix;
		return this;
	}

	/**
	 * Sets the owner.
	 * @param owner the label that others see while this process holds a lock
	 * @return this builder
	 */
	public RedlockSettingsBuilder owner(String owner) {
		this.owner = owner;
		return this;
	}

	/**
	 * Sets the ttl.
	 * @param ttl the time after which the nodes forget a lock
	 * @return this builder
	 */
	public RedlockSettingsBuilder ttl(Duration ttl) {
		this.ttl = ttl;
		return this;
	}

	/**
	 * Sets the largest ttl.
	 * @param maxTtl the largest ttl that is accepted
	 * @return this builder
	 */
	public RedlockSettingsBuilder maxTtl(Duration maxTtl) {
		this.maxTtl = maxTtl;
		return this;
	}

	/**
	 * Sets the time to wait.
	 * @param waitFor how long to wait for a lock; zero is one attempt
	 * @return this builder
	 */
	public RedlockSettingsBuilder waitFor(Duration waitFor) {
		this.waitFor = waitFor;
		return this;
	}

	/**
	 * Sets the retry count.
	 * @param retryCount the most retries while waiting; -1 for no limit
	 * @return this builder
	 */
	public RedlockSettingsBuilder retryCount(int retryCount) {
		this.retryCount = retryCount;
		return this;
	}

	/**
	 * Sets the retry delay.
	 * @param retryDelay the upper end of the random delay between tries
	 * @return this builder
	 */
	public RedlockSettingsBuilder retryDelay(Duration retryDelay) {
		this.retryDelay = retryDelay;
		return this;
	}

	/**
	 * Sets the clock drift factor.
	 * @param clockDriftFactor the share of the ttl that is given to clock drift
	 * @return this builder
	 */
	public RedlockSettingsBuilder clockDriftFactor(double clockDriftFactor) {
		this.clockDriftFactor = clockDriftFactor;
		return this;
	}

	/**
	 * Sets the node timeout.
	 * @param nodeTimeout how long to wait for one node; null for 5 % of the ttl
	 * @return this builder
	 */
	public RedlockSettingsBuilder nodeTimeout(@Nullable Duration nodeTimeout) {
		this.nodeTimeout = nodeTimeout;
		return this;
	}

	/**
	 * Turns renewal on or off.
	 * @param renew whether leases are renewed until they are released
	 * @return this builder
	 */
	public RedlockSettingsBuilder renew(boolean renew) {
		this.renew = renew;
		return this;
	}

	/**
	 * Sets the longest hold.
	 * @param maxHold renewal stops after this much time in total
	 * @return this builder
	 */
	public RedlockSettingsBuilder maxHold(Duration maxHold) {
		this.maxHold = maxHold;
		return this;
	}

	/**
	 * Sets the most renewals.
	 * @param maxRenewals renewal stops after this many extensions
	 * @return this builder
	 */
	public RedlockSettingsBuilder maxRenewals(int maxRenewals) {
		this.maxRenewals = maxRenewals;
		return this;
	}

	/**
	 * Turns fencing on or off.
	 * @param fencing whether leases carry a fence
	 * @return this builder
	 */
	public RedlockSettingsBuilder fencing(boolean fencing) {
		this.fencing = fencing;
		return this;
	}

	/**
	 * Sets whether a release waits.
	 * @param awaitRelease whether closing a lease waits for a majority
	 * @return this builder
	 */
	public RedlockSettingsBuilder awaitRelease(boolean awaitRelease) {
		this.awaitRelease = awaitRelease;
		return this;
	}

	/**
	 * Sets the shutdown timeout.
	 * @param shutdownTimeout how long closing the lock may take
	 * @return this builder
	 */
	public RedlockSettingsBuilder shutdownTimeout(Duration shutdownTimeout) {
		this.shutdownTimeout = shutdownTimeout;
		return this;
	}

	/**
	 * Sets the lock delay.
	 * @param lockDelay how much longer than its ttl the nodes keep a lock
	 * @return this builder
	 */
	public RedlockSettingsBuilder lockDelay(Duration lockDelay) {
		this.lockDelay = lockDelay;
		return this;
	}

	/**
	 * Sets the clock step.
	 * @param clockStep how far the clock of a node may jump ahead unnoticed
	 * @return this builder
	 */
	public RedlockSettingsBuilder clockStep(Duration clockStep) {
		this.clockStep = clockStep;
		return this;
	}

	/**
	 * Checks the values.
	 * @return the settings
	 * @throws IllegalArgumentException if a value is wrong, or does not fit the others
	 */
	public RedlockSettings build() {
		return new RedlockSettings(this.keyPrefix, this.owner, this.ttl, this.maxTtl, this.waitFor, this.retryCount,
				this.retryDelay, this.clockDriftFactor, this.nodeTimeout, this.renew, this.maxHold, this.maxRenewals,
				this.fencing, this.awaitRelease, this.shutdownTimeout, this.lockDelay, this.clockStep);
	}

}

package dev.redlock.spring.autoconfigure;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;

/**
 * How locks behave by default, and which Redis servers vote.
 */
@ConfigurationProperties("redlock")
public final class RedlockProperties {

	/**
	 * Put before each resource to make its Redis key. Empty for keys that any standard
	 * Redlock client of another language understands.
	 */
	private String keyPrefix = "redlock:";

	/**
	 * Time after which the servers forget a lock that is neither renewed nor released.
	 */
	private Duration ttl = Duration.ofSeconds(30);

	/**
	 * Largest ttl that is accepted, the same on every client. A server that lost its data
	 * does not vote for this long.
	 */
	private Duration maxTtl = Duration.ofSeconds(60);

	/**
	 * How much longer than its ttl the servers keep a lock that nobody released, so that
	 * late work of a holder that crashed or was cut off can come to its end. A release
	 * frees the lock at once. The sum with the ttl is at most the largest ttl.
	 */
	private Duration lockDelay = Duration.ZERO;

	/**
	 * How long to wait for a lock. Zero for one attempt.
	 */
	private Duration waitFor = Duration.ofSeconds(5);

	/**
	 * Share of the ttl that is given to clocks that do not run alike.
	 */
	private double clockDriftFactor = 0.01;

	/**
	 * How long to wait for the answer of one server. By default 5 % of the ttl, between
	 * 20 ms and 1 s.
	 */
	private @Nullable Duration nodeTimeout;

	/**
	 * How long to wait for a connection to one server.
	 */
	private Duration connectTimeout = Duration.ofSeconds(2);

	/**
	 * How long releasing what is held may take when the application shuts down.
	 */
	private Duration shutdownTimeout = Duration.ofSeconds(5);

	/**
	 * Label that others see while this application holds a lock. By default the name of
	 * the application, an at sign, and the name of the host.
	 */
	private @Nullable String owner;

	@NestedConfigurationProperty
	private final RedlockPolicies.Retry retry = new RedlockPolicies.Retry();

	@NestedConfigurationProperty
	private final RedlockPolicies.Renew renew = new RedlockPolicies.Renew();

	@NestedConfigurationProperty
	private final RedlockPolicies.Fencing fencing = new RedlockPolicies.Fencing();

	@NestedConfigurationProperty
	private final RedlockPolicies.RestartGuard restartGuard = new RedlockPolicies.RestartGuard();

	@NestedConfigurationProperty
	private final RedlockPolicies.Release release = new RedlockPolicies.Release();

	/**
	 * The Redis servers that vote, by a name for each. They must be independent of each
	 * other. Five are usual.
	 */
	private final Map<String, RedlockInstance> instances = new LinkedHashMap<>();

	/**
	 * Creates properties with their default values.
	 */
	public RedlockProperties() {
	}

	/**
	 * {@return what is put before each resource}
	 */
	public String getKeyPrefix() {
		return this.keyPrefix;
	}

	/**
	 * Sets what getKeyPrefix returns.
	 * @param keyPrefix the value
	 */
	public void setKeyPrefix(String keyPrefix) {
		this.keyPrefix = keyPrefix;
	}

	/**
	 * {@return the default ttl}
	 */
	public Duration getTtl() {
		return this.ttl;
	}

	/**
	 * Sets what getTtl returns.
	 * @param ttl the value
	 */
	public void setTtl(Duration ttl) {
		this.ttl = ttl;
	}

	/**
	 * {@return the largest ttl}
	 */
	public Duration getMaxTtl() {
		return this.maxTtl;
	}

	/**
	 * Sets what getMaxTtl returns.
	 * @param maxTtl the value
	 */
	public void setMaxTtl(Duration maxTtl) {
		this.maxTtl = maxTtl;
	}

	/**
	 * {@return how much longer the servers keep a lock that nobody released}
	 */
	public Duration getLockDelay() {
		return this.lockDelay;
	}

	/**
	 * Sets what getLockDelay returns.
	 * @param lockDelay the value
	 */
	public void setLockDelay(Duration lockDelay) {
		this.lockDelay = lockDelay;
	}

	/**
	 * {@return how long to wait for a lock}
	 */
	public Duration getWaitFor() {
		return this.waitFor;
	}

	/**
	 * Sets what getWaitFor returns.
	 * @param waitFor the value
	 */
	public void setWaitFor(Duration waitFor) {
		this.waitFor = waitFor;
	}

	/**
	 * {@return the share of the ttl for drift}
	 */
	public double getClockDriftFactor() {
		return this.clockDriftFactor;
	}

	/**
	 * Sets what getClockDriftFactor returns.
	 * @param clockDriftFactor the value
	 */
	public void setClockDriftFactor(double clockDriftFactor) {
		this.clockDriftFactor = clockDriftFactor;
	}

	/**
	 * {@return how long to wait for one server}
	 */
	public @Nullable Duration getNodeTimeout() {
		return this.nodeTimeout;
	}

	/**
	 * Sets what getNodeTimeout returns.
	 * @param nodeTimeout the value
	 */
	public void setNodeTimeout(@Nullable Duration nodeTimeout) {
		this.nodeTimeout = nodeTimeout;
	}

	/**
	 * {@return how long to wait for a connection}
	 */
	public Duration getConnectTimeout() {
		return this.connectTimeout;
	}

	/**
	 * Sets what getConnectTimeout returns.
	 * @param connectTimeout the value
	 */
	public void setConnectTimeout(Duration connectTimeout) {
		this.connectTimeout = connectTimeout;
	}

	/**
	 * {@return how long shutting down may take}
	 */
	public Duration getShutdownTimeout() {
		return this.shutdownTimeout;
	}

	/**
	 * Sets what getShutdownTimeout returns.
	 * @param shutdownTimeout the value
	 */
	public void setShutdownTimeout(Duration shutdownTimeout) {
		this.shutdownTimeout = shutdownTimeout;
	}

	/**
	 * {@return the label that others see}
	 */
	public @Nullable String getOwner() {
		return this.owner;
	}

	/**
	 * Sets what getOwner returns.
	 * @param owner the value
	 */
	public void setOwner(@Nullable String owner) {
		this.owner = owner;
	}

	/**
	 * {@return how attempts are repeated}
	 */
	public RedlockPolicies.Retry getRetry() {
		return this.retry;
	}

	/**
	 * {@return how leases are renewed}
	 */
	public RedlockPolicies.Renew getRenew() {
		return this.renew;
	}

	/**
	 * {@return whether leases carry fences}
	 */
	public RedlockPolicies.Fencing getFencing() {
		return this.fencing;
	}

	/**
	 * {@return what happens when a server restarts}
	 */
	public RedlockPolicies.RestartGuard getRestartGuard() {
		return this.restartGuard;
	}

	/**
	 * {@return how leases are released}
	 */
	public RedlockPolicies.Release getRelease() {
		return this.release;
	}

	/**
	 * {@return the servers by name}
	 */
	public Map<String, RedlockInstance> getInstances() {
		return this.instances;
	}

}

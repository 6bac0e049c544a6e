package dev.redlock.spring.autoconfigure.internal.settings;

import java.time.Duration;
import java.util.Map;

import io.lettuce.core.RedisURI;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The defaults of locks, and the Redis servers that vote.
 *
 * @param enabled Whether locks are taken. When false, methods with @RedLock run without a
 * lock.
 * @param keyPrefix Text before the name of a lock in its Redis key. Standard Redlock
 * clients of other languages use no prefix.
 * @param ttl Time after which the servers forget a lock that is neither renewed nor
 * released.
 * @param maxTtl Largest ttl that is accepted, the same on every client. A server that
 * lost its data does not vote on locks for the time of max-ttl.
 * @param lockDelay How much longer than its ttl the servers keep a lock that was not
 * released, so that late work of its holder can end.
 * @param waitFor How long to wait for a lock. Zero means one attempt.
 * @param clockDriftFactor Share of the ttl by which a lease ends early, because clocks
 * may run at different rates.
 * @param nodeTimeout How long to wait for the answer of one server. The default is 5 % of
 * the ttl, between 20 ms and 1 s.
 * @param connectTimeout How long to wait for a connection to one server.
 * @param shutdownTimeout How long work may go on under its lock after the Redlock bean
 * was destroyed, which happens after the beans that use it.
 * @param shutdown What happens to locks at shutdown.
 * @param owner Label that others see while this process holds a lock. The default is
 * application@host.
 * @param retry How attempts to get a lock are repeated.
 * @param renew How locks are renewed.
 * @param fencing Fences: numbers that distinguish a later lock from an earlier lock.
 * @param restartGuard What happens when a server restarts.
 * @param allowEviction Whether a server votes although its maxmemory-policy may evict
 * keys. An eviction may delete a held lock, a fence counter or the record of a job.
 * @param release How locks are released.
 * @param defaults Values for all instances without values of their own.
 * @param instances The Redis servers that vote, by name. The servers must be independent
 * of each other.
 */
@ConfigurationProperties("redlock")
public record RedlockProperties(@DefaultValue("true") boolean enabled, @DefaultValue("redlock:") String keyPrefix,
		@DefaultValue("30s") Duration ttl, @DefaultValue("30s") Duration maxTtl, @DefaultValue("0s") Duration lockDelay,
		@DefaultValue("5s") Duration waitFor, @DefaultValue("0.01") double clockDriftFactor,
		@Nullable Duration nodeTimeout, @DefaultValue("2s") Duration connectTimeout,
		@DefaultValue("20s") Duration shutdownTimeout, @DefaultValue Shutdown shutdown, @Nullable String owner,
		@DefaultValue Retry retry, @DefaultValue Renew renew, @DefaultValue Fencing fencing,
		@DefaultValue RestartGuard restartGuard, @DefaultValue("false") boolean allowEviction,
		@DefaultValue Release release, @DefaultValue Defaults defaults,
		@DefaultValue Map<String, RedlockInstance> instances) {

	/**
	 * How attempts to get a lock are repeated.
	 *
	 * @param count Largest number of retries while waiting for a lock. -1 means no limit.
	 * @param delay Upper end of the random delay between two attempts, at least 1 ms.
	 */
	public record Retry(@DefaultValue("-1") int count, @DefaultValue("200ms") Duration delay) {

	}

	/**
	 * How locks are renewed.
	 *
	 * @param enabled Whether a lock is renewed until it is released.
	 * @param maxHold Longest total time for which a lock is renewed.
	 */
	public record Renew(@DefaultValue("false") boolean enabled, @DefaultValue("10m") Duration maxHold) {

	}

	/**
	 * What happens to locks at shutdown.
	 *
	 * @param releaseRunning Whether the locks of work that still runs after
	 * shutdown-timeout are released, so that another process may enter while the work may
	 * still run. When false, these locks end by their ttl.
	 */
	public record Shutdown(@DefaultValue("false") boolean releaseRunning) {

	}

	/**
	 * Fences: numbers that distinguish a later lock from an earlier lock.
	 *
	 * @param enabled Whether each lock comes with a fence, a number that is higher than
	 * the number of every earlier lock on the same name.
	 * @param retention How long a server remembers the last number of an unused name, the
	 * same on every client. The default is 30 h, or 10 times the largest ttl if that is
	 * longer. The shortest value is 3 h, or 10 times the largest ttl.
	 */
	public record Fencing(@DefaultValue("true") boolean enabled, @Nullable Duration retention) {

	}

	/**
	 * What happens when a server restarts.
	 *
	 * @param enabled Whether a server that may have forgotten locks does not vote until
	 * these locks have expired.
	 */
	public record RestartGuard(@DefaultValue("true") boolean enabled) {

	}

	/**
	 * How locks are released.
	 *
	 * @param await Whether a call returns only when a majority of the servers has
	 * confirmed the release.
	 */
	public record Release(@DefaultValue("false") boolean await) {

	}

	/**
	 * Values for all instances without values of their own.
	 *
	 * @param port Port of instances with a host.
	 * @param username ACL user of instances whose URL names no user.
	 * @param password Password of instances whose URL has no password.
	 * @param ssl How connections are encrypted.
	 */
	public record Defaults(@DefaultValue("6379") int port, @Nullable String username, @Nullable String password,
			@NestedConfigurationProperty @DefaultValue RedlockInstance.Ssl ssl) {

		public boolean areSet() {
			return this.port != RedisURI.DEFAULT_REDIS_PORT || this.username != null || this.password != null
					|| this.ssl.isSet();
		}

		/**
		 * Returns a text without credentials, because the text may be logged.
		 */
		@Override
		public String toString() {
			return "Defaults[port=" + this.port + ", ssl=" + this.ssl + "]";
		}

	}

}

package dev.redlock.benchmarks.contender;

import java.time.Duration;

/**
 * What all contenders are given alike.
 *
 * @param ttl after which a lock is forgotten
 * @param patience how long to wait for a lock
 * @param maxTtl the longest ttl of the deployment, for the library that has such a limit
 */
public record Terms(Duration ttl, Duration patience, Duration maxTtl) {

	private static final Duration DEFAULT_TTL = Duration.ofSeconds(30);

	private static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(10);

	/**
	 * The usual terms, with a shorter ttl where the deployment allows no longer one.
	 * @param maxTtl the longest ttl of the deployment
	 * @return the terms
	 */
	public static Terms under(Duration maxTtl) {
		return new Terms((maxTtl.compareTo(DEFAULT_TTL) < 0) ? maxTtl : DEFAULT_TTL, DEFAULT_PATIENCE, maxTtl);
	}

	/**
	 * How long it may take until new servers vote, on a busy machine too.
	 * @return more than one max-ttl
	 */
	public Duration longestQuarantine() {
		return this.maxTtl.multipliedBy(2).plusSeconds(10);
	}

}

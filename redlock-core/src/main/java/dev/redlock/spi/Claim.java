package dev.redlock.spi;

import java.time.Duration;
import java.util.List;

/**
 * What one owner claims on every node: some keys, all or none, under one token.
 *
 * @param keys the Redis keys in sorted order, at least one
 * @param token the random proof of ownership, fresh for each attempt
 * @param ttl the time after which a node forgets the claim
 */
public record Claim(List<String> keys, String token, Duration ttl) {

	/**
	 * The fence of a claim that wants none.
	 */
	public static final long UNFENCED = 0;

	private static final int RELEASE_NAME_LENGTH = 8;

	/**
	 * Checks that the claim names something.
	 * @param keys the Redis keys in sorted order, at least one
	 * @param token the random proof of ownership
	 * @param ttl the time after which a node forgets the claim, at least a millisecond
	 */
	public Claim {
		keys = List.copyOf(keys);
		if (keys.isEmpty() || token.isEmpty()) {
			throw new IllegalArgumentException("A claim needs at least one key and a token");
		}
		if (ttl.toMillis() < 1) {
			throw new IllegalArgumentException("The ttl of a claim is at least one millisecond, not " + ttl);
		}
	}

	/**
	 * The same claim with another ttl, for an extension.
	 * @param newTtl the new ttl
	 * @return the claim
	 */
	public Claim withTtl(Duration newTtl) {
		return new Claim(this.keys, this.token, newTtl);
	}

	/**
	 * Under which name the release of this claim is announced: the first characters of a
	 * token that is then no longer worth anything.
	 * @return the name
	 */
	public String releaseName() {
		return this.token.substring(0, Math.min(RELEASE_NAME_LENGTH, this.token.length()));
	}

	/**
	 * Names the keys, never the token.
	 */
	@Override
	public String toString() {
		return "Claim[keys=" + this.keys + ", ttl=" + this.ttl + "]";
	}

}

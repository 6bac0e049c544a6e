package dev.redlock.spi;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * One attempt of an owner to lock a set of Redis keys, sent to every node with the same
 * token. A node grants all keys or none.
 *
 * @param keys the Redis keys in sorted order, at least one
 * @param token the random secret that proves ownership, new for each try
 * @param ttl the time after which a node forgets the claim, at least a millisecond
 * @param channel the key whose subscribers are notified of the release; null to notify
 * the subscribers of each key
 * @param succeeds the claim from which {@link LockNode#acquire} takes over the keys; null
 * to acquire free keys
 */
public record Claim(List<String> keys, String token, Duration ttl, @Nullable String channel,
		@Nullable Predecessor succeeds) {

	/**
	 * The fence of a lock for which fencing is disabled.
	 */
	public static final long UNFENCED = 0;

	/**
	 * Separates the secret of a token from the label of an owner that announces its
	 * releases. The secret part of a token contains neither {@code |} nor {@code ~~}.
	 */
	public static final String LABEL = "|";

	/**
	 * Separates the secret of a token from the label of an owner that does not announce
	 * its releases.
	 */
	public static final String SILENT_LABEL = "~~";

	private static final int RELEASE_NAME_LENGTH = 8;

	public Claim {
		keys = List.copyOf(keys);
		if (keys.isEmpty() || token.isEmpty()) {
			throw new IllegalArgumentException("A request for a lock needs at least one key and a token");
		}
		if (ttl.toMillis() < 1) {
			throw new IllegalArgumentException("The ttl of a lock must be at least one millisecond, not " + ttl);
		}
	}

	/**
	 * Creates a claim that acquires free keys.
	 */
	public Claim(List<String> keys, String token, Duration ttl, @Nullable String channel) {
		this(keys, token, ttl, channel, null);
	}

	/**
	 * Creates a claim that acquires free keys, and whose release is announced on each of
	 * its keys.
	 */
	public Claim(List<String> keys, String token, Duration ttl) {
		this(keys, token, ttl, null);
	}

	/**
	 * Returns the keys whose subscribers are notified when the given keys of this claim
	 * are released.
	 */
	public List<String> channels(List<String> released) {
		return (this.channel != null && !released.isEmpty()) ? List.of(this.channel) : released;
	}

	/**
	 * Returns a copy of the claim with another ttl, for an extension.
	 */
	public Claim withTtl(Duration newTtl) {
		return new Claim(this.keys, this.token, newTtl, this.channel, this.succeeds);
	}

	/**
	 * Returns a copy of the claim that takes over the keys of another claim.
	 */
	public Claim succeeding(Predecessor predecessor) {
		return new Claim(this.keys, this.token, this.ttl, this.channel, predecessor);
	}

	/**
	 * Returns the name under which the release of this claim is announced: the beginning
	 * of its token. A release name reveals no secret, because a token is worthless after
	 * its release.
	 */
	public String releaseName() {
		return this.token.substring(0, Math.min(RELEASE_NAME_LENGTH, this.token.length()));
	}

	/**
	 * Shows the keys, but never the secret token.
	 */
	@Override
	public String toString() {
		return "Claim[keys=" + this.keys + ", ttl=" + this.ttl + "]";
	}

	/**
	 * The claim whose keys another claim takes over.
	 *
	 * @param token the secret token of the predecessor
	 * @param fence the fence of the predecessor's lease, or {@link #UNFENCED}
	 * @param strict true if the predecessor must hold all keys, and no other owner may
	 * have raised a fence counter since; false if keys may also be free
	 */
	public record Predecessor(String token, long fence, boolean strict) {

		public Predecessor {
			if (token.isEmpty() || (strict && fence <= UNFENCED)) {
				throw new IllegalArgumentException("A claim that is taken over strictly needs a token and a fence");
			}
		}

		/**
		 * Shows the fence, but never the secret token.
		 */
		@Override
		public String toString() {
			return "Predecessor[fence=" + this.fence + ", strict=" + this.strict + "]";
		}

	}

}

package dev.redlock.spring.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The scripts as one incarnation of a server knows them, by their digests.
 */
final class LoadedScripts {

	private final String runId;

	private final @Nullable Marker marker;

	private final boolean sharded;

	private final String[] digests = new String[LockScript.values().length];

	LoadedScripts(String runId, @Nullable Marker marker, boolean sharded) {
		this.runId = runId;
		this.marker = marker;
		this.sharded = sharded;
		for (LockScript script : LockScript.values()) {
			this.digests[script.ordinal()] = sha1(text(script));
		}
	}

	String digest(LockScript script) {
		return this.digests[script.ordinal()];
	}

	String text(LockScript script) {
		return script.text(this.runId, this.marker, this.sharded);
	}

	/**
	 * All keys that the script takes for the given lock keys.
	 */
	List<String> keys(LockScript script, List<String> keys) {
		if (!script.counters()) {
			return keys;
		}
		return CounterKeys.pairs(keys, (this.marker != null && script.marked()) ? this.marker.key() : null);
	}

	/**
	 * The marker that the scripts look at, or null if they look at none.
	 */
	@Nullable Marker marker() {
		return this.marker;
	}

	private static String sha1(String text) {
		try {
			MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
			return HexFormat.of().formatHex(sha1.digest(text.getBytes(StandardCharsets.UTF_8)));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-1", ex);
		}
	}

}

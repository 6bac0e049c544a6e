package dev.redlock.spring.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The scripts as one incarnation of a server knows them, by their digests.
 */
final class LoadedScripts {

	private final String runId;

	private final String[] digests = new String[LockScript.values().length];

	LoadedScripts(String runId) {
		this.runId = runId;
		for (LockScript script : LockScript.values()) {
			this.digests[script.ordinal()] = sha1(script.text(runId));
		}
	}

	String digest(LockScript script) {
		return this.digests[script.ordinal()];
	}

	String text(LockScript script) {
		return script.text(this.runId);
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

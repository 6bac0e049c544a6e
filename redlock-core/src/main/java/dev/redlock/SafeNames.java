package dev.redlock;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Limits the names of resources to readable text of at most 1,024 bytes. The short form
 * of a long name is part of the wire format, so all versions must shorten names in the
 * same way.
 */
final class SafeNames {

	static final int MAX_BYTES = 1024;

	private static final int HEAD_BYTES = 512;

	/** The most bytes of UTF-8 that a character takes. */
	private static final int BYTES_OF_A_CHARACTER = 3;

	private static final String MARK = "~sha256:";

	private SafeNames() {
	}

	/**
	 * Returns the name, or its beginning and a hash of the rest if the name is longer
	 * than 1,024 bytes of UTF-8.
	 */
	static String of(String name) {
		requireText(name);
		if (name.length() <= MAX_BYTES / BYTES_OF_A_CHARACTER) {
			return name;
		}
		byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
		if (bytes.length <= MAX_BYTES) {
			return name;
		}
		int head = HEAD_BYTES;
		// A character of several bytes must not be cut in two.
		while ((bytes[head] & 0xC0) == 0x80) {
			head--;
		}
		MessageDigest digest = sha256();
		digest.update(bytes, head, bytes.length - head);
		return new String(bytes, 0, head, StandardCharsets.UTF_8) + MARK + HexFormat.of().formatHex(digest.digest());
	}

	/**
	 * A lone surrogate has no encoding, so names that differ only in such surrogates
	 * would share a key.
	 */
	private static void requireText(String name) {
		for (int i = 0; i < name.length(); i = name.offsetByCodePoints(i, 1)) {
			int character = name.codePointAt(i);
			if (Character.isISOControl(character) || Character.getType(character) == Character.SURROGATE) {
				throw new IllegalArgumentException(
						("The name of a resource has the character U+%04X at position %d, which is a control character "
								+ "or half of a surrogate pair.")
							.formatted(character, i)
								+ " The name is not shown, because it may be a secret. Encode binary values, for"
								+ " example with HexFormat or Base64.");
			}
		}
	}

	private static MessageDigest sha256() {
		try {
			return MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

}

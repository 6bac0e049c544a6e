package dev.redlock.spring.template;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * Keeps names of resources to what can be a key that people can read: text without
 * control characters, of a limited length. What a long name becomes is part of the wire
 * format: other versions must make the same of it.
 */
final class SafeNames {

	static final int MAX_BYTES = 1024;

	private static final int HEAD_BYTES = 512;

	private static final String MARK = "~sha256:";

	private SafeNames() {
	}

	static List<String> of(List<String> names) {
		return names.stream().map(SafeNames::of).toList();
	}

	/**
	 * The name itself, or its head and the hash of the rest if it is over 1,024 bytes of
	 * UTF-8.
	 * @throws IllegalArgumentException if it is not printable text
	 */
	static String of(String name) {
		requireText(name);
		byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
		if (bytes.length <= MAX_BYTES) {
			return name;
		}
		int head = HEAD_BYTES;
		// Not in the middle of a character.
		while ((bytes[head] & 0xC0) == 0x80) {
			head--;
		}
		MessageDigest digest = sha256();
		digest.update(bytes, head, bytes.length - head);
		return new String(bytes, 0, head, StandardCharsets.UTF_8) + MARK + HexFormat.of().formatHex(digest.digest());
	}

	/**
	 * Text that has no encoding would become the same name as other such text.
	 */
	private static void requireText(String name) {
		for (int i = 0; i < name.length(); i++) {
			char character = name.charAt(i);
			boolean pair = Character.isHighSurrogate(character) && i + 1 < name.length()
					&& Character.isLowSurrogate(name.charAt(i + 1));
			if (Character.isISOControl(character) || (Character.isSurrogate(character) && !pair)) {
				throw new IllegalArgumentException(
						"The name of a resource has the character U+%04X at position %d, which is no text."
							.formatted((int) character, i)
								+ " The name is not shown, since it may be a secret. Encode binary values, as with"
								+ " HexFormat or Base64.");
			}
			if (pair) {
				i++;
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

package dev.redlock;

import java.util.Base64;
import java.util.random.RandomGenerator;

/**
 * Makes tokens: 160 random bits, then the label that others may see.
 */
final class Tokens {

	/**
	 * Separates the secret from the label. Never part of the random text.
	 */
	static final char LABEL = '|';

	private static final int RANDOM_BYTES = 20;

	private final RandomGenerator random;

	private final String suffix;

	Tokens(RandomGenerator random, String owner) {
		this.random = random;
		// Also without a label: it tells that this owner announces its releases.
		this.suffix = LABEL + owner;
	}

	String next() {
		byte[] bytes = new byte[RANDOM_BYTES];
		this.random.nextBytes(bytes);
		return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes) + this.suffix;
	}

}

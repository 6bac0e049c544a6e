package dev.redlock;

import java.util.Base64;
import java.util.Base64.Encoder;
import java.util.random.RandomGenerator;

/**
 * A generator of tokens. A token is 160 random bits, followed by the public label of this
 * process.
 */
final class Tokens {

	/**
	 * Separates the secret from the label. The random text never contains it.
	 */
	static final char LABEL = '|';

	private static final int RANDOM_BYTES = 20;

	private static final Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

	private final RandomGenerator random;

	private final String suffix;

	Tokens(RandomGenerator random, String owner) {
		this.random = random;
		// The separator is there without a label, too: it shows that this owner announces
		// its releases.
		this.suffix = LABEL + owner;
	}

	String next() {
		byte[] bytes = new byte[RANDOM_BYTES];
		this.random.nextBytes(bytes);
		return BASE64.encodeToString(bytes) + this.suffix;
	}

}

package dev.redlock.spring.internal.read;

import java.time.Duration;

import dev.redlock.spring.interceptor.AnnotatedMethod;
import dev.redlock.spring.interceptor.InvalidRedLockException;

import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * Parses a duration attribute of {@code @RedLock}, such as {@code ttl = "10s"}.
 */
final class LockDuration {

	/**
	 * A number below 100 without a unit is refused, because "5" means 5 ms and was
	 * probably meant as seconds.
	 */
	private static final Duration SHORTEST_WITHOUT_UNIT = Duration.ofMillis(100);

	private LockDuration() {
	}

	static Duration parse(AnnotatedMethod method, String attribute, String text) {
		Duration value;
		try {
			value = DurationFormatterUtils.detectAndParse(text, DurationFormat.Unit.MILLIS);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRedLockException(method, attribute, "\"" + text + "\" is not a duration.",
					"Write the duration as \"10s\", \"PT10S\", or \"10000\" for milliseconds. Use RedLockTemplate for "
							+ "a duration that depends on the call.",
					ex);
		}
		method.refuseIf(!value.isZero() && value.compareTo(SHORTEST_WITHOUT_UNIT) < 0 && text.matches("\\+?\\d+"),
				attribute, "\"" + text + "\" is " + text + " milliseconds, and was perhaps meant as seconds.",
				"Write \"" + text + "s\" or \"" + text + "ms\".");
		return value;
	}

}

package dev.redlock.spring.interceptor;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * A duration attribute: not set, constant, or computed for each call.
 *
 * @param text the text, null if the attribute is not set
 * @param constant the value if it does not depend on the call
 * @param minimum the smallest value that makes sense
 */
record LockDuration(@Nullable LockText text, @Nullable Duration constant, Duration minimum) {

	static final Duration ZERO_OR_MORE = Duration.ZERO;

	static final Duration MORE_THAN_ZERO = Duration.ofNanos(1);

	static final Duration A_MILLISECOND = Duration.ofMillis(1);

	private static final String HOW_TO = "Write it as \"10s\", \"PT10S\", or \"10000\" for milliseconds.";

	/**
	 * An attribute that is not set.
	 */
	static LockDuration none() {
		return new LockDuration(null, null, ZERO_OR_MORE);
	}

	/**
	 * Parses a constant at once.
	 */
	static LockDuration of(LockText text, Duration minimum) {
		if (!text.isConstant()) {
			return new LockDuration(text, null, minimum);
		}
		Duration constant;
		try {
			constant = parse(text.text());
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRedLockException(text.method(), text.attribute(),
					"\"" + text.text() + "\" is no duration.", HOW_TO, ex);
		}
		if (constant.compareTo(minimum) < 0) {
			throw new InvalidRedLockException(text.method(), text.attribute(),
					"\"" + text.text() + "\" is " + tooSmall(constant) + ".", HOW_TO);
		}
		return new LockDuration(text, constant, minimum);
	}

	/**
	 * Whether the value, or that there is none, does not depend on the call.
	 */
	boolean isConstant() {
		return this.constant != null || this.text == null;
	}

	/**
	 * Returns the value for a call, null if the attribute is not set.
	 */
	@Nullable Duration value(LockCall call) {
		if (this.constant != null || this.text == null) {
			return this.constant;
		}
		Duration value = convert(this.text, this.text.value(call));
		if (value.compareTo(this.minimum) < 0) {
			throw this.text.problem(this.text.parts().get(0), "is " + tooSmall(value), HOW_TO);
		}
		return value;
	}

	private static Duration convert(LockText text, @Nullable Object value) {
		if (value instanceof Duration duration) {
			return duration;
		}
		if (value instanceof Number millis) {
			return Duration.ofMillis(millis.longValue());
		}
		try {
			return parse(String.valueOf(value));
		}
		catch (IllegalArgumentException ex) {
			// The cause repeats the value, which came with the call.
			throw text.problem(text.parts().get(0), "yields no duration", HOW_TO);
		}
	}

	private static Duration parse(String text) {
		return DurationFormatterUtils.detectAndParse(text.strip(), DurationFormat.Unit.MILLIS);
	}

	private static String tooSmall(Duration value) {
		if (value.isZero()) {
			return "zero";
		}
		return value.isNegative() ? "negative" : "less than 1 ms";
	}

}

package dev.redlock.spring.interceptor;

import java.time.Duration;
import java.util.function.BiFunction;

import dev.redlock.LockRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * A duration attribute that is set: constant, or computed for each call.
 *
 * @param text the text
 * @param minimum the smallest value that makes sense
 * @param target sets the value in a request
 */
record LockDuration(LockText text, Duration minimum, BiFunction<LockRequest, Duration, LockRequest> target) {

	static final Duration ZERO_OR_MORE = Duration.ZERO;

	static final Duration MORE_THAN_ZERO = Duration.ofNanos(1);

	static final Duration A_MILLISECOND = Duration.ofMillis(1);

	/**
	 * A number without a unit below this is taken for a mistake: "5" is meant as seconds.
	 */
	private static final Duration SHORTEST_WITHOUT_UNIT = Duration.ofMillis(100);

	private static final String HOW_TO = "Write it as \"10s\", \"PT10S\", or \"10000\" for milliseconds.";

	/**
	 * Sets a constant value in a request.
	 */
	LockRequest setConstant(LockRequest request) {
		String constant = this.text.text().strip();
		Duration value;
		try {
			value = parse(constant);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRedLockException(this.text.method(), this.text.attribute(),
					"\"" + constant + "\" is no duration.", HOW_TO, ex);
		}
		AnnotatedMethod method = this.text.method();
		method.refuseIf(value.compareTo(this.minimum) < 0, this.text.attribute(),
				"\"" + constant + "\" is " + tooSmall(value) + ".", HOW_TO);
		method.refuseIf(lacksUnit(constant, value), this.text.attribute(),
				"\"" + constant + "\" is " + constant + " milliseconds, and perhaps meant as seconds.",
				"Write \"" + constant + "s\" or \"" + constant + "ms\".");
		return this.target.apply(request, value);
	}

	/**
	 * Sets the value for a call in its request.
	 */
	LockRequest setComputed(LockRequest request, LockCall call) {
		Duration value = convert(this.text, this.text.value(call));
		if (value.compareTo(this.minimum) < 0) {
			throw this.text.problem(this.text.parts().get(0), "is " + tooSmall(value), HOW_TO);
		}
		return this.target.apply(request, value);
	}

	private static Duration convert(LockText text, @Nullable Object value) {
		if (value instanceof Duration duration) {
			return duration;
		}
		String content = ((value instanceof Number millis) ? String.valueOf(millis.longValue()) : String.valueOf(value))
			.strip();
		Duration parsed;
		try {
			parsed = parse(content);
		}
		catch (IllegalArgumentException ex) {
			// The cause repeats the value, which came with the call.
			throw text.problem(text.parts().get(0), "yields no duration", HOW_TO);
		}
		if (lacksUnit(content, parsed)) {
			throw text.problem(text.parts().get(0), "yields milliseconds that are perhaps meant as seconds",
					"Let it yield a Duration, or a text with a unit.");
		}
		return parsed;
	}

	private static boolean lacksUnit(String text, Duration value) {
		return !value.isZero() && value.compareTo(SHORTEST_WITHOUT_UNIT) < 0 && text.matches("\\+?\\d+");
	}

	private static Duration parse(String text) {
		return DurationFormatterUtils.detectAndParse(text, DurationFormat.Unit.MILLIS);
	}

	private static String tooSmall(Duration value) {
		if (value.isZero()) {
			return "zero";
		}
		return value.isNegative() ? "negative" : "less than 1 ms";
	}

}

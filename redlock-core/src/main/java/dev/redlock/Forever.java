package dev.redlock;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What is longer than anybody waits counts as this long, so that whoever means for ever
 * can say so, and sums fit.
 */
final class Forever {

	static final Duration LONGEST = Duration.ofDays(36_500);

	private Forever() {
	}

	static Duration atMost(Duration duration) {
		return (duration.compareTo(LONGEST) > 0) ? LONGEST : duration;
	}

	static @Nullable Duration atMostIfAny(@Nullable Duration duration) {
		return (duration != null) ? atMost(duration) : null;
	}

}

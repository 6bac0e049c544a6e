package dev.redlock.spring.observation;

import java.util.Locale;

import dev.redlock.LockAttempt;
import dev.redlock.LockRequest;
import dev.redlock.spring.observation.RedlockObservation.HighCardinality;
import dev.redlock.spring.observation.RedlockObservation.LowCardinality;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;

/**
 * Keys that the observations share.
 */
final class RequestKeys {

	private static final String NO_ORIGIN = "template";

	private RequestKeys() {
	}

	static KeyValues method(LockRequest request) {
		String origin = request.origin();
		return KeyValues.of(LowCardinality.METHOD.withValue((origin != null) ? origin : NO_ORIGIN));
	}

	static KeyValue outcome(LockAttempt attempt) {
		return LowCardinality.OUTCOME.withValue(attempt.reason().map(RequestKeys::text).orElse("acquired"));
	}

	static KeyValues resources(LockRequest request, boolean include) {
		return include ? KeyValues.of(HighCardinality.RESOURCES.withValue(String.join(",", request.resources())))
				: KeyValues.empty();
	}

	/**
	 * A constant as the value of a tag.
	 */
	static String text(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT);
	}

}

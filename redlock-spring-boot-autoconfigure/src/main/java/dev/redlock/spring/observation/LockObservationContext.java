package dev.redlock.spring.observation;

import java.util.Locale;

import dev.redlock.LockRequest;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/**
 * The common part of the observations of a request and of a lease.
 */
abstract class LockObservationContext extends Observation.Context {

	private static final String NO_ORIGIN = "template";

	private final LockRequest request;

	private final boolean includeResources;

	LockObservationContext(LockRequest request, boolean includeResources) {
		this.request = request;
		this.includeResources = includeResources;
	}

	/**
	 * Returns the request for the lock.
	 * @return the request
	 */
	public LockRequest getRequest() {
		return this.request;
	}

	/**
	 * Returns whether spans may name the locked resources.
	 * @return the value of {@code redlock.observation.include-resources}
	 */
	public boolean isIncludeResources() {
		return this.includeResources;
	}

	/**
	 * Returns the keys of the request, and the outcome once it is known.
	 */
	KeyValues lowCardinality(@Nullable String outcome) {
		String origin = this.request.origin();
		KeyValues values = KeyValues.of(LockObservation.Key.METHOD.withValue((origin != null) ? origin : NO_ORIGIN));
		return (outcome != null) ? values.and(LockObservation.Key.OUTCOME.withValue(outcome.toLowerCase(Locale.ROOT)))
				: values;
	}

	KeyValues resources() {
		return this.includeResources
				? KeyValues.of(LockObservation.Key.RESOURCES.withValue(String.join(",", this.request.resources())))
				: KeyValues.empty();
	}

}

package dev.redlock.spring.observation;

import dev.redlock.LockAttempt;
import dev.redlock.spring.observation.RedlockObservation.HighCardinality;
import io.micrometer.common.KeyValues;

/**
 * Name and keys of the observation of a request, as {@link RedlockObservation#ACQUIRE}
 * documents them.
 */
public final class DefaultAcquireObservationConvention implements AcquireObservationConvention {

	private final boolean includeResources;

	/**
	 * Creates the convention.
	 * @param includeResources whether spans name what is locked
	 */
	public DefaultAcquireObservationConvention(boolean includeResources) {
		this.includeResources = includeResources;
	}

	@Override
	public String getName() {
		return "redlock.acquire";
	}

	@Override
	public String getContextualName(AcquireObservationContext context) {
		return "redlock acquire";
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(AcquireObservationContext context) {
		KeyValues values = RequestKeys.method(context.getRequest());
		LockAttempt attempt = context.getAttempt();
		return (attempt != null) ? values.and(RequestKeys.outcome(attempt)) : values;
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(AcquireObservationContext context) {
		KeyValues values = RequestKeys.resources(context.getRequest(), this.includeResources);
		LockAttempt attempt = context.getAttempt();
		return (attempt != null) ? values.and(HighCardinality.TRIES.withValue(String.valueOf(attempt.tries())))
				: values;
	}

}

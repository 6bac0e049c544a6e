package dev.redlock.spring.observation;

import dev.redlock.LockAttempt;
import dev.redlock.spring.observation.RedlockObservation.HighCardinality;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Name and keys of the observation of a request, as {@link RedlockObservation#ACQUIRE}
 * documents them. A bean of this type can override any of them.
 */
public interface AcquireObservationConvention extends ObservationConvention<AcquireObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof AcquireObservationContext;
	}

	@Override
	default String getName() {
		return "redlock.acquire";
	}

	@Override
	default String getContextualName(AcquireObservationContext context) {
		return "redlock acquire";
	}

	@Override
	default KeyValues getLowCardinalityKeyValues(AcquireObservationContext context) {
		LockAttempt attempt = context.getAttempt();
		return context.lowCardinality((attempt != null) ? attempt.reason().map(Enum::name).orElse("acquired") : null);
	}

	@Override
	default KeyValues getHighCardinalityKeyValues(AcquireObservationContext context) {
		LockAttempt attempt = context.getAttempt();
		return (attempt != null)
				? context.resources().and(HighCardinality.TRIES.withValue(String.valueOf(attempt.tries())))
				: context.resources();
	}

}

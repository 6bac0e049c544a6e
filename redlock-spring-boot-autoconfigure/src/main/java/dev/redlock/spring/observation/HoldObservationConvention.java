package dev.redlock.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Name and keys of the observation of a lease. A bean of this type takes the place of
 * {@link DefaultHoldObservationConvention}.
 */
public interface HoldObservationConvention extends ObservationConvention<HoldObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof HoldObservationContext;
	}

}

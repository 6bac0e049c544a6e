package dev.redlock.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Name and keys of the observation of a request. A bean of this type takes the place of
 * {@link DefaultAcquireObservationConvention}.
 */
public interface AcquireObservationConvention extends ObservationConvention<AcquireObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof AcquireObservationContext;
	}

}

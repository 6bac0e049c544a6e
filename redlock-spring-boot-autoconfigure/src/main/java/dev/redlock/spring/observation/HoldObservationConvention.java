package dev.redlock.spring.observation;

import dev.redlock.RequestListener.HoldEnd;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Name and keys of the observation of a lease, which lasts until the lease is released or
 * lost. A bean of this type can override the name and the keys. The keys are those of
 * {@link AcquireObservationConvention} without {@code redlock.tries}. The key
 * {@code outcome} has the value {@code released} or {@code lost}.
 */
public interface HoldObservationConvention extends ObservationConvention<HoldObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof HoldObservationContext;
	}

	@Override
	default String getName() {
		return LockObservation.HOLD.getName();
	}

	@Override
	default String getContextualName(HoldObservationContext context) {
		return LockObservation.HOLD.getContextualName();
	}

	@Override
	default KeyValues getLowCardinalityKeyValues(HoldObservationContext context) {
		HoldEnd end = context.getEnd();
		return LockObservation.lowCardinality(context, (end != null) ? end.name() : null);
	}

	@Override
	default KeyValues getHighCardinalityKeyValues(HoldObservationContext context) {
		return LockObservation.resources(context);
	}

}

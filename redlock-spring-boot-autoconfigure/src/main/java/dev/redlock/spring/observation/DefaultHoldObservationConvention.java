package dev.redlock.spring.observation;

import dev.redlock.HoldEnd;
import dev.redlock.spring.observation.RedlockObservation.LowCardinality;
import io.micrometer.common.KeyValues;

/**
 * Name and keys of the observation of a lease, as {@link RedlockObservation#HOLD}
 * documents them.
 */
public final class DefaultHoldObservationConvention implements HoldObservationConvention {

	private final boolean includeResources;

	/**
	 * Creates the convention.
	 * @param includeResources whether spans name what is locked
	 */
	public DefaultHoldObservationConvention(boolean includeResources) {
		this.includeResources = includeResources;
	}

	@Override
	public String getName() {
		return "redlock.hold";
	}

	@Override
	public String getContextualName(HoldObservationContext context) {
		return "redlock hold";
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(HoldObservationContext context) {
		KeyValues values = RequestKeys.method(context.getRequest());
		HoldEnd end = context.getEnd();
		return (end != null) ? values.and(LowCardinality.OUTCOME.withValue(RequestKeys.text(end))) : values;
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(HoldObservationContext context) {
		return RequestKeys.resources(context.getRequest(), this.includeResources);
	}

}

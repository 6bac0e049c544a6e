package dev.redlock.spring.observation;

import dev.redlock.LockAttempt;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Name and keys of the observation of a lock request. The observation lasts until the
 * request has ended, including all attempts and pauses. A bean of this type can override
 * the name and the keys.
 * <ul>
 * <li>{@code method}, in spans and as a tag of meters: the origin of the lock request,
 * such as class and name of the method with {@code @RedLock}; {@code template} if
 * unknown.</li>
 * <li>{@code outcome}, in spans and as a tag of meters, absent until the request has
 * ended: {@code acquired}, or why the lock was not acquired, such as {@code held} or
 * {@code no_quorum}.</li>
 * <li>{@code redlock.tries}, in spans only: how often the nodes were asked for the
 * lock.</li>
 * <li>{@code redlock.resources}, in spans only: the names of the locked resources. The
 * key {@code redlock.resources} is present only if
 * {@code redlock.observation.include-resources} is true, because resource names may
 * reveal personal data.</li>
 * </ul>
 */
public interface AcquireObservationConvention extends ObservationConvention<AcquireObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof AcquireObservationContext;
	}

	@Override
	default String getName() {
		return LockObservation.ACQUIRE.getName();
	}

	@Override
	default String getContextualName(AcquireObservationContext context) {
		return LockObservation.ACQUIRE.getContextualName();
	}

	@Override
	default KeyValues getLowCardinalityKeyValues(AcquireObservationContext context) {
		LockAttempt attempt = context.getAttempt();
		return LockObservation.lowCardinality(context,
				(attempt != null) ? attempt.reason().map(Enum::name).orElse("acquired") : null);
	}

	@Override
	default KeyValues getHighCardinalityKeyValues(AcquireObservationContext context) {
		LockAttempt attempt = context.getAttempt();
		return (attempt != null)
				? LockObservation.resources(context)
					.and(LockObservation.Key.TRIES.withValue(String.valueOf(attempt.tries())))
				: LockObservation.resources(context);
	}

}

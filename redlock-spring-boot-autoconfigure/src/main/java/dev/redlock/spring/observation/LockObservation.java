package dev.redlock.spring.observation;

import java.util.Locale;

import io.micrometer.common.KeyValues;
import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;
import org.jspecify.annotations.Nullable;

/**
 * The observations of locks and the keys of the observations, in the form that
 * documentation tools of Micrometer read.
 */
enum LockObservation implements ObservationDocumentation {

	/** The observation of a request for a lock. */
	ACQUIRE("redlock.acquire", AcquireObservationConvention.class),

	/** The observation of a lease, until the lease is released or lost. */
	HOLD("redlock.hold", HoldObservationConvention.class);

	private static final String NO_ORIGIN = "template";

	private final String observation;

	private final Class<? extends ObservationConvention<? extends Observation.Context>> convention;

	LockObservation(String observation,
			Class<? extends ObservationConvention<? extends Observation.Context>> convention) {
		this.observation = observation;
		this.convention = convention;
	}

	@Override
	public String getName() {
		return this.observation;
	}

	@Override
	public String getContextualName() {
		return this.observation.replace('.', ' ');
	}

	@Override
	public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
		return this.convention;
	}

	@Override
	public KeyName[] getLowCardinalityKeyNames() {
		return new KeyName[] { Key.METHOD, Key.OUTCOME };
	}

	@Override
	public KeyName[] getHighCardinalityKeyNames() {
		return new KeyName[] { Key.TRIES, Key.RESOURCES };
	}

	static KeyValues lowCardinality(LockObservationContext context, @Nullable String outcome) {
		String origin = context.getRequest().origin();
		KeyValues values = KeyValues.of(Key.METHOD.withValue((origin != null) ? origin : NO_ORIGIN));
		return (outcome != null) ? values.and(Key.OUTCOME.withValue(outcome.toLowerCase(Locale.ROOT))) : values;
	}

	static KeyValues resources(LockObservationContext context) {
		return context.isIncludeResources()
				? KeyValues.of(Key.RESOURCES.withValue(String.join(",", context.getRequest().resources())))
				: KeyValues.empty();
	}

	enum Key implements KeyName {

		METHOD("method"), OUTCOME("outcome"), TRIES("redlock.tries"), RESOURCES("redlock.resources");

		private final String key;

		Key(String key) {
			this.key = key;
		}

		@Override
		public String asString() {
			return this.key;
		}

	}

}

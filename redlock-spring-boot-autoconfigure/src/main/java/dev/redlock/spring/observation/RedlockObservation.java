package dev.redlock.spring.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * The observations of the lock, each of which is a timer and a span.
 */
public enum RedlockObservation implements ObservationDocumentation {

	/**
	 * A request for a lock from start to end, including all tries and pauses. Its name is
	 * {@code redlock.acquire}.
	 */
	ACQUIRE(AcquireObservationConvention.class, HighCardinality.TRIES, HighCardinality.RESOURCES),

	/**
	 * A lease, until it is released or lost. Its name is {@code redlock.hold}.
	 */
	HOLD(HoldObservationConvention.class, HighCardinality.RESOURCES);

	private final Class<? extends ObservationConvention<? extends Observation.Context>> convention;

	private final KeyName[] highCardinality;

	RedlockObservation(Class<? extends ObservationConvention<? extends Observation.Context>> convention,
			KeyName... highCardinality) {
		this.convention = convention;
		this.highCardinality = highCardinality;
	}

	@Override
	public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
		return this.convention;
	}

	@Override
	public KeyName[] getLowCardinalityKeyNames() {
		return LowCardinality.values();
	}

	@Override
	public KeyName[] getHighCardinalityKeyNames() {
		return this.highCardinality.clone();
	}

	/**
	 * Keys that are tags of meters too.
	 */
	public enum LowCardinality implements KeyName {

		/**
		 * The caller: class and name of the method with {@code @RedLock}, the origin of
		 * the request, or {@code template}.
		 */
		METHOD("method"),

		/**
		 * The result, absent until the end. For a request {@code acquired}, or the reason
		 * in lower case, such as {@code held} or {@code no_quorum}. For a lease
		 * {@code released} or {@code lost}.
		 */
		OUTCOME("outcome");

		private final String key;

		LowCardinality(String key) {
			this.key = key;
		}

		@Override
		public String asString() {
			return this.key;
		}

	}

	/**
	 * Keys that are in spans only.
	 */
	public enum HighCardinality implements KeyName {

		/**
		 * How often the nodes were asked.
		 */
		TRIES("redlock.tries"),

		/**
		 * The locked resources. Present only if
		 * {@code redlock.observation.include-resources} is true, because names may reveal
		 * personal data.
		 */
		RESOURCES("redlock.resources");

		private final String key;

		HighCardinality(String key) {
			this.key = key;
		}

		@Override
		public String asString() {
			return this.key;
		}

	}

}

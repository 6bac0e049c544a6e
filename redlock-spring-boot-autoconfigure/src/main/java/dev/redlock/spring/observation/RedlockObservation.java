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
	 * A request for a lock, from the question to the answer, all tries and pauses
	 * included. Its name is {@code redlock.acquire}.
	 */
	ACQUIRE {

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return DefaultAcquireObservationConvention.class;
		}

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return new KeyName[] { LowCardinality.METHOD, LowCardinality.OUTCOME };
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return HighCardinality.values();
		}

	},

	/**
	 * A lease, from its acquisition to the moment when it was released, lost or handed
	 * over. Its name is {@code redlock.hold}.
	 */
	HOLD {

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return DefaultHoldObservationConvention.class;
		}

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return new KeyName[] { LowCardinality.METHOD, LowCardinality.OUTCOME };
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return new KeyName[] { HighCardinality.RESOURCES };
		}

	};

	/**
	 * Keys that are tags of meters too.
	 */
	public enum LowCardinality implements KeyName {

		/**
		 * Who asks: class and name of the method with {@code @RedLock}, the origin of the
		 * request, or {@code template}.
		 */
		METHOD {

			@Override
			public String asString() {
				return "method";
			}

		},

		/**
		 * How it ended, absent while it goes on. For a request {@code acquired},
		 * {@code held}, {@code no_quorum}, {@code timed_out}, {@code validity_exhausted},
		 * {@code interrupted} or {@code shutting_down}; for a lease {@code released},
		 * {@code lost} or {@code handed_over}.
		 */
		OUTCOME {

			@Override
			public String asString() {
				return "outcome";
			}

		}

	}

	/**
	 * Keys that are in spans only.
	 */
	public enum HighCardinality implements KeyName {

		/**
		 * How often the nodes were asked.
		 */
		TRIES {

			@Override
			public String asString() {
				return "redlock.tries";
			}

		},

		/**
		 * What is locked. Only there if {@code redlock.observation.include-resources} is
		 * true, since names may tell about people.
		 */
		RESOURCES {

			@Override
			public String asString() {
				return "redlock.resources";
			}

		}

	}

}

package dev.redlock.internal.request;

/**
 * What a request does at the moment: it makes a {@link Try}, or none.
 */
sealed interface Step permits Try, Step.Rest {

	enum Rest implements Step {

		/**
		 * The request waits behind other requests of this process, or for its next try.
		 */
		WAITING,

		/**
		 * The last try was refused, and later votes may change the reason for the
		 * refusal.
		 */
		AWAITING_REASON,

		/** The request has a lease, or has failed. */
		ENDED

	}

}

package dev.redlock.internal.request;

enum AttemptState {

	/** The request waits behind other requests of this process, or for its next try. */
	WAITING,

	ASKING,

	/**
	 * The last try was refused, and later votes may change the reason for the refusal.
	 */
	AWAITING_REASON,

	/** The request has a lease, or has failed. */
	ENDED

}

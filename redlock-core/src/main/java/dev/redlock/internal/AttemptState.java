package dev.redlock.internal;

enum AttemptState {

	/** The request waits behind other requests of this process, or for its next try. */
	WAITING,

	ASKING,

	/** The request has a lease, or has failed. */
	ENDED

}

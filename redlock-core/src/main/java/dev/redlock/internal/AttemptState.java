package dev.redlock.internal;

/**
 * The state of a request for a lock.
 */
enum AttemptState {

	/** The request waits behind other requests of this process, or for its next try. */
	WAITING,

	/** The request is asking the nodes. */
	ASKING,

	/** The request has a lease, or has failed. */
	ENDED

}

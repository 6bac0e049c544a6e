package dev.redlock.internal;

/**
 * The state of a request for a lock.
 */
enum AttemptState {

	/** Waits behind other requests of this process. */
	QUEUED,

	/** The nodes are being asked. */
	ASKING,

	/** Waits before its next try. */
	PAUSED,

	/** Waits for the votes that show why its last try failed. */
	EXPLAINING,

	ENDED

}

package dev.redlock;

/**
 * How far a request for a lock is.
 */
enum AttemptState {

	/** Others of this process are first. */
	QUEUED,

	/** The nodes are being asked. */
	ASKING,

	/** Between two tries, or before the first one. */
	PAUSED,

	/** The last try was refused, and it is not yet certain why. */
	EXPLAINING,

	ENDED;

	boolean asksNodes() {
		return this == ASKING || this == EXPLAINING;
	}

	boolean waits() {
		return this == QUEUED || this == PAUSED;
	}

}

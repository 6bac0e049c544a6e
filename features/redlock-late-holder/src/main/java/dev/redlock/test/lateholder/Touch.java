package dev.redlock.test.lateholder;

/**
 * One access to the outside that has begun. The code that watches a client reports how it
 * ended.
 */
interface Touch {

	/** An access that says nothing about a late call. */
	Touch UNWATCHED = new Touch() {
	};

	/**
	 * The access has changed the outside for good.
	 */
	default void wrote() {
	}

	/**
	 * The receiver has refused the access.
	 * @param answer the answer
	 */
	default void refused(String answer) {
	}

}

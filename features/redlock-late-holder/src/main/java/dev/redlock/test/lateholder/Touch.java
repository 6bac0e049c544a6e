package dev.redlock.test.lateholder;

/**
 * One access to a watched bean that has begun. The code that watches the bean reports how
 * the access ended.
 */
interface Touch {

	/** An access that says nothing about a late call. */
	Touch UNWATCHED = new Touch() {
	};

	/**
	 * The access has made a permanent change.
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

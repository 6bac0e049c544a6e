package dev.redlock.test.lateholder;

/**
 * One access to a database or another service, which has begun. The code that observes
 * the access reports how it ended.
 */
interface Touch {

	/**
	 * An access whose result does not matter, because the call under test was not frozen.
	 */
	Touch UNWATCHED = new Touch() {
	};

	/**
	 * Reports that the access has made a permanent change.
	 */
	default void wrote() {
	}

	/**
	 * Reports that the database or the other service has refused the access.
	 * @param answer the answer of the database or service, for the table
	 */
	default void refused(String answer) {
	}

}

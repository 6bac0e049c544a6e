package dev.redlock.test.lateholder;

/**
 * One access to a database or another service, which has begun.
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
	 */
	default void refused(String answer) {
	}

}

package dev.redlock.test.lateholder;

/**
 * One access to a database or another service, which has begun.
 */
interface Touch {

	/**
	 * An access of a call that is not frozen, whose result the test ignores.
	 */
	Touch UNWATCHED = new Touch() {
	};

	/**
	 * Reports that the watched statement, commit or request has permanently changed data.
	 */
	default void wrote() {
	}

	/**
	 * Reports that the database or the other service has refused the statement, commit or
	 * request.
	 */
	default void refused(String answer) {
	}

}

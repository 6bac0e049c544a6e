package dev.redlock.test.lateholder;

/**
 * A started access to a database or another service.
 */
interface Touch {

	/**
	 * An access whose result the test ignores, because the call is not frozen.
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

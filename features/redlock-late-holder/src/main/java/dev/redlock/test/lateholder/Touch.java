package dev.redlock.test.lateholder;

/**
 * One touch of the outside world that has begun. The code that watches a client reports
 * how it ended.
 */
interface Touch {

	/** A touch outside of any run. */
	Touch UNWATCHED = new Touch() {
	};

	/**
	 * The outside world has changed for good.
	 */
	default void wrote() {
	}

	/**
	 * The receiver has refused the touch.
	 * @param answer what it answered
	 */
	default void refused(String answer) {
	}

	/**
	 * What was written before is undone.
	 */
	default void rolledBack() {
	}

}

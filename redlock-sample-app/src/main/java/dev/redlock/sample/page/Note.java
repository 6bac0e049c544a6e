package dev.redlock.sample.page;

/**
 * A sentence about what has happened.
 *
 * @param micros when it happened, in microseconds since the epoch
 * @param tone how to take it
 * @param text the sentence
 */
record Note(long micros, Tone tone, String text) {

	/**
	 * How a sentence is to be taken.
	 */
	enum Tone {

		/**
		 * It goes on as it should.
		 */
		PLAIN,

		/**
		 * Something was kept from going wrong, or is well again.
		 */
		GOOD,

		/**
		 * Something is not as it was.
		 */
		WARNING,

		/**
		 * Something went wrong.
		 */
		BAD

	}

}

package dev.redlock.sample.page;

/**
 * A sentence about an event of the sale.
 *
 * @param micros the time, in microseconds since the epoch
 * @param tone the tone, which the page shows as a colour
 * @param text the sentence
 */
record Note(long micros, Tone tone, String text) {

	/**
	 * The tone of a sentence.
	 */
	enum Tone {

		/**
		 * Normal operation.
		 */
		PLAIN,

		/**
		 * An error was prevented, or something works again.
		 */
		GOOD,

		/**
		 * Something works worse than before.
		 */
		WARNING,

		/**
		 * Something went wrong.
		 */
		BAD

	}

}

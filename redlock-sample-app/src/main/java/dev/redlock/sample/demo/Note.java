package dev.redlock.sample.demo;

/**
 * A sentence about an event of the sale.
 *
 * @param micros the time, in microseconds since the epoch
 * @param tone the tone, which the page shows as a colour
 * @param text the sentence
 * @param mark a few words for the timeline, or empty if it does not show the event
 */
record Note(long micros, Tone tone, String text, String mark) {

	Note(long micros, Tone tone, String text) {
		this(micros, tone, text, "");
	}

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

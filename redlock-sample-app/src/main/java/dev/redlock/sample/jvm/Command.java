package dev.redlock.sample.jvm;

import dev.redlock.sample.buyers.BuyerGroup;
import dev.redlock.sample.buyers.Protection;

/**
 * What the buyers of the second JVM are to do, a line of JSON.
 *
 * @param kind what to do
 * @param protection what keeps the buyers apart
 * @param buyers how many there are
 */
record Command(Kind kind, Protection protection, int buyers) {

	void applyTo(BuyerGroup group) {
		switch (this.kind) {
			case START -> group.start(this.protection, this.buyers);
			case PROTECT -> group.protect(this.protection);
			case STOP -> group.stop();
		}
	}

	Command as(Kind other) {
		return new Command(other, this.protection, this.buyers);
	}

	/**
	 * What to do.
	 */
	enum Kind {

		/**
		 * Let buyers come.
		 */
		START,

		/**
		 * Change what keeps them apart.
		 */
		PROTECT,

		/**
		 * Send them away.
		 */
		STOP

	}

}

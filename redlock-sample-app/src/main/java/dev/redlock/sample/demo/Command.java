package dev.redlock.sample.demo;

/**
 * A command to the buyers of the second JVM, sent as a line of JSON.
 *
 * @param kind the kind of command
 * @param protection the protection of the purchases
 * @param buyers the number of buyers
 */
record Command(Kind kind, Protection protection, int buyers) {

	void applyTo(BuyerGroup group) {
		switch (this.kind) {
			case START -> group.start(this.protection, this.buyers);
			case PROTECT -> group.protect(this.protection);
			case STOP -> group.stop();
		}
	}

	/**
	 * The kinds of commands.
	 */
	enum Kind {

		/**
		 * Starts buyers.
		 */
		START,

		/**
		 * Changes the protection of their purchases.
		 */
		PROTECT,

		/**
		 * Stops all buyers.
		 */
		STOP

	}

}

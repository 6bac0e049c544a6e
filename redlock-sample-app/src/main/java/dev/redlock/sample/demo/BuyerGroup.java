package dev.redlock.sample.demo;

/**
 * The buyers of one JVM, this one or another.
 */
interface BuyerGroup {

	/**
	 * Stops all buyers, and starts new ones. Each buys one unit after the other until
	 * nothing is left.
	 * @param protection the protection of their purchases
	 * @param count the number of buyers
	 */
	void start(Protection protection, int count);

	/**
	 * Changes the protection of purchases, from the next purchase of each buyer on.
	 * @param protection the new protection
	 */
	void protect(Protection protection);

	/**
	 * Stops all buyers, and waits until they have stopped.
	 */
	void stop();

	/**
	 * Whether a buyer is still buying.
	 * @return false when all were stopped or found nothing left
	 */
	boolean isBuying();

}

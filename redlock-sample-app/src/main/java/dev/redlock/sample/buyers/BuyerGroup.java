package dev.redlock.sample.buyers;

/**
 * Buyers of one JVM, this one or another.
 */
public interface BuyerGroup {

	/**
	 * Lets buyers come, each of whom buys one unit after the other until nothing is left.
	 * Those who were there before go first.
	 * @param protection what keeps them apart
	 * @param count how many they are
	 */
	void start(Protection protection, int count);

	/**
	 * Changes what keeps the buyers apart, from their next purchase on.
	 * @param protection what keeps them apart
	 */
	void protect(Protection protection);

	/**
	 * Sends all buyers away, and waits until they have gone.
	 */
	void stop();

	/**
	 * Whether somebody still buys.
	 * @return false when all were sent away or found nothing left
	 */
	boolean isBuying();

}

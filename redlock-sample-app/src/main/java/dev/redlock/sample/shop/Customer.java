package dev.redlock.sample.shop;

/**
 * A person who buys.
 */
@FunctionalInterface
public interface Customer {

	/**
	 * Decides, which takes a while like a call to a payment provider or a warehouse. It
	 * is called between reading and writing the stock, under the lock if there is one. An
	 * exception ends the purchase before anything is written.
	 */
	void decide();

	/**
	 * Called after the sale was written, while the lock is still held.
	 */
	default void written() {
		// Most customers do not need to know.
	}

}

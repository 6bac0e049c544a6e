package dev.redlock.sample.shop;

/**
 * Who buys.
 */
@FunctionalInterface
public interface Customer {

	/**
	 * Decides, which takes a while: it stands for the call to a payment provider or a
	 * warehouse. Called between reading and writing the stock, and so under the lock if
	 * there is one. Whatever it throws ends the purchase before anything is written.
	 */
	void decide();

}

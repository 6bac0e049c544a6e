package dev.redlock.docs.snippets;

/**
 * Charges customers.
 */
interface PaymentProvider {

	void charge(long order);

}

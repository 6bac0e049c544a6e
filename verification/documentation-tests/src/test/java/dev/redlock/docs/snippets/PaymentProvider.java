package dev.redlock.docs.snippets;

/**
 * Charges customers. It charges once for each key, however often it is asked.
 */
interface PaymentProvider {

	void charge(long order, String idempotencyKey);

}

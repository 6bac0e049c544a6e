package dev.redlock;

/**
 * The outcome of an extension of a lease.
 */
public enum RenewalOutcome {

	/**
	 * A majority agreed in time.
	 */
	EXTENDED,

	/**
	 * Too few nodes answered; the old validity still applies.
	 */
	UNKNOWN,

	/**
	 * The lease is no longer valid.
	 */
	LOST

}

package dev.redlock;

/**
 * What became of an attempt to extend a lease.
 */
public enum RenewalOutcome {

	/**
	 * A majority agreed in time.
	 */
	EXTENDED,

	/**
	 * Too few answered; the old validity stands.
	 */
	UNKNOWN,

	/**
	 * The lease is no longer valid.
	 */
	LOST

}

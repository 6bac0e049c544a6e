package dev.redlock;

/**
 * How it came that a lease is no longer held.
 */
public enum HoldEnd {

	/**
	 * It was released while it was valid.
	 */
	RELEASED,

	/**
	 * It was lost before it was released.
	 */
	LOST,

	/**
	 * It was handed over to another process.
	 */
	HANDED_OVER

}

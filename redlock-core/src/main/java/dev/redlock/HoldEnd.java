package dev.redlock;

/**
 * The ways in which a lease can end.
 */
public enum HoldEnd {

	/**
	 * The lease was released while it was valid.
	 */
	RELEASED,

	/**
	 * The lease was lost before it was released.
	 */
	LOST

}

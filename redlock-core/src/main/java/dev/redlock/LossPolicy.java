package dev.redlock;

/**
 * The reaction to the loss of a lock while work runs under it.
 */
public enum LossPolicy {

	/**
	 * The work continues, and {@link LockLostException} is thrown after it.
	 */
	THROW,

	/**
	 * Like {@link #THROW}, but the loss also interrupts the thread at once, or cancels
	 * the stage or publisher.
	 */
	INTERRUPT,

	/**
	 * The loss is only logged and reported to the listeners.
	 */
	IGNORE

}

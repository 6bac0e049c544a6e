package dev.redlock;

/**
 * What happens when a lock is lost while the locked code runs.
 */
public enum LossPolicy {

	/**
	 * The locked code continues, and {@link LockLostException} is thrown after it.
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

package dev.redlock;

/**
 * What happens to work under a lock when the lock is lost while it runs.
 */
public enum LossPolicy {

	/**
	 * The work runs on, and {@link LockLostException} is thrown after it.
	 */
	THROW,

	/**
	 * Like {@link #THROW}, and the thread is interrupted, or the stage or publisher
	 * cancelled, at once.
	 */
	INTERRUPT,

	/**
	 * The loss is logged and told to the listeners, nothing else.
	 */
	IGNORE

}

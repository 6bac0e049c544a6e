package dev.redlock;

import java.util.Set;

/**
 * Thrown when a lock was lost while locked code ran, so that another owner may have
 * worked at the same time. Trust the results of the locked code only if each write
 * checked the fence.
 */
public sealed class LockLostException extends RuntimeException permits LockLostAfterCommitException {

	private static final long serialVersionUID = 1L;

	private final LossReason reason;

	/**
	 * Creates the exception.
	 */
	public LockLostException(Set<String> resources, LossReason reason) {
		this(resources, reason, "");
	}

	LockLostException(Set<String> resources, LossReason reason, String consequence) {
		super("The lock on " + resources + " was lost while it was needed (" + reason + "): another owner may have"
				+ " worked at the same time." + consequence
				+ " Keep the work shorter than the ttl of the lock, raise the ttl, or turn on renewal. To refuse "
				+ "late writes, check the fence with each write.");
		this.reason = reason;
	}

	/**
	 * Returns the reason for the loss.
	 */
	public LossReason reason() {
		return this.reason;
	}

}

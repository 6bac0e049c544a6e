package dev.redlock;

import java.util.Set;

/**
 * The lock was lost while work ran under it: another owner may have worked at the same
 * time. What the work wrote is to be trusted only where its fence was checked.
 */
public final class LockLostException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final LossReason reason;

	/**
	 * Creates the exception.
	 * @param resources what was locked
	 * @param reason why it was lost
	 */
	public LockLostException(Set<String> resources, LossReason reason) {
		super("The lock on " + resources + " was lost while it was needed (" + reason + "): another owner may have"
				+ " worked at the same time. Let the work take less than its ttl, raise the ttl, or turn on renewal;"
				+ " and check the fence where the work is written.");
		this.reason = reason;
	}

	/**
	 * Why the lock was lost.
	 * @return the reason
	 */
	public LossReason reason() {
		return this.reason;
	}

}

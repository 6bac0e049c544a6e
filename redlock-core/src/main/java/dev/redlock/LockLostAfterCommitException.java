package dev.redlock;

import java.util.Set;

/**
 * Thrown when a lock was lost while work ran under it, and the work was not rolled back:
 * it has ended, or was stopped on its way, and what it wrote may be committed. A retry
 * could do it twice. If the loss has rolled a transaction back, or the work has not
 * begun, a plain {@link LockLostException} is thrown instead, and a retry is safe.
 */
public final class LockLostAfterCommitException extends LockLostException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param resources the locked resources
	 * @param reason the reason for the loss
	 */
	public LockLostAfterCommitException(Set<String> resources, LossReason reason) {
		super(resources, reason, " The work may be committed, so a retry could do it twice.");
	}

}

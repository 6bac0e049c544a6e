package dev.redlock;

import java.util.Set;

/**
 * Thrown when a lock was lost while the locked method or callback ran, and its writes may
 * be committed. A retry of the method could repeat committed writes. If all writes were
 * rolled back or the method has not begun, a plain {@link LockLostException} is thrown,
 * and a retry is safe.
 * <p>
 * The writes of a method count as committed if the method has begun outside of a
 * transaction. If a method marks its own transaction for rollback but returns normally,
 * its writes also count as committed. In a reactive flow, each transaction within the
 * locked code counts as committed, because its outcome is unknown.
 */
public final class LockLostAfterCommitException extends LockLostException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 */
	public LockLostAfterCommitException(Set<String> resources, LossReason reason) {
		super(resources, reason, " The work may be committed, so a retry could do the work twice.");
	}

}

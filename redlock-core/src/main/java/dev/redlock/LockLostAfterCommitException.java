package dev.redlock;

import java.util.Set;

/**
 * Thrown when a lock was lost while work ran under it, and writes of the work may be
 * committed. A retry could therefore repeat committed writes. A plain
 * {@link LockLostException} is thrown instead if all writes were rolled back or the work
 * has not begun. After a plain {@link LockLostException}, a retry is safe. In a reactive
 * flow, each inner transaction counts as committed, because its outcome is unknown. Work
 * that has begun outside of a transaction counts as committed too. Work that marks its
 * own transaction for rollback and returns normally also counts as committed. Such work
 * may have written outside of the transaction.
 */
public final class LockLostAfterCommitException extends LockLostException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param resources the locked resources
	 * @param reason the reason for the loss
	 */
	public LockLostAfterCommitException(Set<String> resources, LossReason reason) {
		super(resources, reason, " The work may be committed, so a retry could do the work twice.");
	}

}

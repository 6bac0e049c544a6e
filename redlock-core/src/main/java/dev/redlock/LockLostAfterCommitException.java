package dev.redlock;

import java.util.Set;

/**
 * Thrown when a lock was lost while work ran under it, and not all of the work was rolled
 * back: it has ended, or was stopped on its way, and what it wrote may be committed, or a
 * transaction has committed inside of it. A retry could do it twice. If the loss has
 * rolled everything back, or the work has not begun, a plain {@link LockLostException} is
 * thrown instead, and a retry is safe. A reactive flow does not learn how its
 * transactions end, so there each inner transaction counts as committed, and so does work
 * that has begun outside of a transaction. Work that marks its own transaction for
 * rollback and returns counts as committed too, because it may have done more than that
 * transaction.
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

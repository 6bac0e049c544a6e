package dev.redlock;

import java.util.Set;

/**
 * Thrown when a lock was lost while work ran under it, and writes of the work may be
 * committed. A retry could do this work twice. If all writes were rolled back, or the
 * work has not begun, a plain {@link LockLostException} is thrown instead, and a retry is
 * safe. A reactive flow is not told how its transactions end. Each inner transaction of a
 * flow therefore counts as committed, and so does work that has begun outside of a
 * transaction. Work that marks its own transaction for rollback and returns counts as
 * committed too, because it may have done more than that transaction.
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

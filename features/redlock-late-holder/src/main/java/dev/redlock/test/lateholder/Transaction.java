package dev.redlock.test.lateholder;

import org.jspecify.annotations.Nullable;

/**
 * The open transaction of one database connection: the call that uses the connection, and
 * whether a statement has written.
 */
final class Transaction {

	private volatile @Nullable Mark owner = Mark.current();

	private volatile boolean written;

	@Nullable Mark owner() {
		return this.owner;
	}

	void belongsTo(Mark owner) {
		this.owner = owner;
	}

	/**
	 * With auto-commit, a write takes effect at once; without auto-commit, at the commit.
	 */
	void wrote(Touch touch, boolean autoCommit) {
		this.written = !autoCommit;
		if (autoCommit) {
			touch.wrote();
		}
	}

	void committed(Touch touch) {
		if (this.written) {
			touch.wrote();
		}
		this.written = false;
	}

	void rolledBack() {
		Mark mark = this.owner;
		if (this.written && mark != null && !mark.rival()) {
			mark.run().rolledBack();
		}
		this.written = false;
	}

}

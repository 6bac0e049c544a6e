package dev.redlock.test.lateholder;

/**
 * Records whether a statement has written in the open transaction of one database
 * connection.
 */
final class Transaction {

	private final Steps steps;

	private volatile boolean written;

	Transaction(Steps steps) {
		this.steps = steps;
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
		if (this.written) {
			this.steps.rolledBack();
		}
		this.written = false;
	}

}

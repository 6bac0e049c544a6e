package dev.redlock.test.lateholder;

/**
 * The open transaction of one connection: whether a statement has written in this
 * transaction.
 */
final class Transaction {

	private final Steps steps;

	private volatile boolean written;

	Transaction(Steps steps) {
		this.steps = steps;
	}

	/**
	 * Records a write, which takes effect at the commit, or at once without a
	 * transaction.
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

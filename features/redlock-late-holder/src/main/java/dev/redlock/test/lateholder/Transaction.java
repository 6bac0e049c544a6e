package dev.redlock.test.lateholder;

/**
 * The open transaction of one connection: whether a statement has written in it.
 */
final class Transaction {

	private volatile boolean written;

	/** Records a write, which takes effect at once or at the commit. */
	void wrote(Touch touch, boolean autoCommit) {
		if (autoCommit) {
			touch.wrote();
		}
		else {
			this.written = true;
		}
	}

	void committed(Touch touch) {
		if (this.written) {
			touch.wrote();
		}
		this.written = false;
	}

	void rolledBack(Touch touch) {
		if (this.written) {
			touch.rolledBack();
		}
		this.written = false;
	}

}

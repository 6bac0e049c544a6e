package dev.redlock.internal;

import java.util.concurrent.locks.ReentrantLock;

/**
 * The lifecycle of a lock, and the steps that change it: <pre>
 *         first request, or open()         close()
 *  NEW ----------------------------&gt; OPEN ---------&gt; CLOSED
 *   |                                  ^               | ^
 *   |                                  '---- open() ---' |
 *   '----------------------- close() --------------------'
 * </pre> Thread-safe. Only one step runs at a time, and other threads wait for its end.
 */
final class LockLifecycle {

	private final Runnable connect;

	private final Runnable disconnect;

	/** The mutex that is held during a step. */
	private final ReentrantLock step = new ReentrantLock();

	private volatile State state = State.NEW;

	private volatile boolean closing;

	/**
	 * Creates the lifecycle of a new lock.
	 * @param connect makes the nodes usable
	 * @param disconnect closes the connections that {@code connect} opened
	 */
	LockLifecycle(Runnable connect, Runnable disconnect) {
		this.connect = connect;
		this.disconnect = disconnect;
	}

	boolean isClosed() {
		return this.state == State.CLOSED;
	}

	/**
	 * Opens a lock that was never open. A closed lock stays closed.
	 */
	void openForFirstRequest() {
		if (this.state == State.NEW) {
			openFrom(State.NEW, () -> {
			});
		}
	}

	/**
	 * Opens the lock, unless it is open.
	 * @param accept makes a closed lock accept requests again
	 */
	void open(Runnable accept) {
		openForFirstRequest();
		openFrom(State.CLOSED, accept);
	}

	/**
	 * Closes the lock. If another call is closing the lock, this method returns at once.
	 * @param end ends all requests and leases, even those that remain from an earlier
	 * call
	 */
	void close(Runnable end) {
		if (this.closing) {
			return;
		}
		this.step.lock();
		try {
			this.closing = true;
			State before = this.state;
			this.state = State.CLOSED;
			end.run();
			if (before == State.OPEN) {
				this.disconnect.run();
			}
		}
		finally {
			this.closing = false;
			this.step.unlock();
		}
	}

	private void openFrom(State from, Runnable accept) {
		this.step.lock();
		try {
			if (this.state == from) {
				this.connect.run();
				accept.run();
				this.state = State.OPEN;
			}
		}
		finally {
			this.step.unlock();
		}
	}

	private enum State {

		NEW, OPEN, CLOSED

	}

}

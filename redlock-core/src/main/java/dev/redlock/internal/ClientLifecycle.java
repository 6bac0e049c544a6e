package dev.redlock.internal;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Opens and closes a {@code Redlock}. Only one thread at a time opens or closes the
 * client, and other threads wait until it has finished. Thread-safe.
 */
final class ClientLifecycle {

	private final Runnable connect;

	private final Runnable disconnect;

	private final ReentrantLock changing = new ReentrantLock();

	private volatile State state = State.NEW;

	private volatile boolean closing;

	ClientLifecycle(Runnable connect, Runnable disconnect) {
		this.connect = connect;
		this.disconnect = disconnect;
	}

	boolean isClosed() {
		return this.state == State.CLOSED;
	}

	/**
	 * Opens a client that was never open; a closed client stays closed.
	 */
	void openForFirstRequest() {
		if (this.state == State.NEW) {
			openFrom(State.NEW, () -> {
			});
		}
	}

	void open(Runnable accept) {
		openForFirstRequest();
		openFrom(State.CLOSED, accept);
	}

	/**
	 * Closes the client. Returns at once if another call is closing the client.
	 */
	void close(Runnable end) {
		if (this.closing) {
			return;
		}
		this.changing.lock();
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
			this.changing.unlock();
		}
	}

	private void openFrom(State from, Runnable accept) {
		this.changing.lock();
		try {
			if (this.state == from) {
				this.connect.run();
				accept.run();
				this.state = State.OPEN;
			}
		}
		finally {
			this.changing.unlock();
		}
	}

	private enum State {

		NEW, OPEN, CLOSED

	}

}

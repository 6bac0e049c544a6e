package dev.redlock;

/**
 * Whether a lock is open, and the steps between these states: <pre>
 *         first request, or open()         close()
 *  NEW ----------------------------&gt; OPEN ---------&gt; CLOSED
 *   |                                  ^               | ^
 *   |                                  '---- open() ---' |
 *   '----------------------- close() --------------------'
 * </pre> Any thread may call. Only one step runs at a time, and other threads wait for
 * its end.
 */
final class LockLifecycle {

	private final Runnable connect;

	private final Runnable disconnect;

	private volatile State state = State.NEW;

	/**
	 * Creates the lifecycle of a lock that was not used yet.
	 * @param connect makes the nodes usable
	 * @param disconnect ends what {@code connect} began
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
	 * Closes the lock, unless it is closed.
	 * @param end ends requests and leases
	 */
	synchronized void close(Runnable end) {
		if (this.state != State.CLOSED) {
			boolean connected = this.state == State.OPEN;
			this.state = State.CLOSED;
			end.run();
			if (connected) {
				this.disconnect.run();
			}
		}
	}

	private synchronized void openFrom(State from, Runnable accept) {
		if (this.state == from) {
			this.connect.run();
			accept.run();
			this.state = State.OPEN;
		}
	}

	private enum State {

		NEW, OPEN, CLOSED

	}

}

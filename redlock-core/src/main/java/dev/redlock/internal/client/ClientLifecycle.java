package dev.redlock.internal.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Opens and closes a {@code Redlock}. Only one thread at a time opens the client, and
 * other threads wait until it has finished. Thread-safe.
 */
final class ClientLifecycle {

	private final Runnable connect;

	private final Runnable disconnect;

	private final ReentrantLock changing = new ReentrantLock();

	private volatile State state = State.NEW;

	private volatile CompletableFuture<Void> closed = CompletableFuture.completedFuture(null);

	ClientLifecycle(Runnable connect, Runnable disconnect) {
		this.connect = connect;
		this.disconnect = disconnect;
	}

	boolean isClosed() {
		return this.state == State.CLOSED;
	}

	/**
	 * Completes when the latest call of {@link #close} has disconnected the client.
	 */
	CompletableFuture<Void> closed() {
		return this.closed;
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
	 * Closes the client, unless it is closed already or another call is closing it.
	 * @param end ends the work of the client, which needs the connections
	 * @param executor runs the disconnection, which may block
	 */
	CompletableFuture<Void> close(Supplier<CompletableFuture<Void>> end, Executor executor) {
		this.changing.lock();
		try {
			if (this.state == State.CLOSED) {
				return this.closed;
			}
			boolean connected = this.state == State.OPEN;
			CompletableFuture<Void> disconnected = new CompletableFuture<>();
			this.closed = disconnected;
			this.state = State.CLOSED;
			end.get().thenRunAsync(connected ? this.disconnect : () -> {
			}, executor).whenComplete((nothing, failure) -> {
				if (failure != null) {
					disconnected.completeExceptionally(failure);
				}
				else {
					disconnected.complete(null);
				}
			});
			return disconnected;
		}
		finally {
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

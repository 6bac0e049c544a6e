package dev.redlock;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Calls listeners on a thread of their own, so that no verdict, no loss and no release
 * waits for a listener that blocks. The queue of that thread is bounded. A notification
 * that does not fit is dropped and counted; the log says when that begins and when it
 * ends. Thread-safe.
 */
public final class ListenerQueue implements Executor, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(ListenerQueue.class);

	private final Executor thread;

	private final AtomicLong dropped = new AtomicLong();

	private final AtomicBoolean dropping = new AtomicBoolean();

	private volatile boolean closed;

	/**
	 * Creates a queue.
	 * @param thread runs one notification after the other, and throws
	 * {@link RejectedExecutionException} when its own bounded queue is full
	 */
	public ListenerQueue(Executor thread) {
		this.thread = thread;
	}

	/**
	 * The same listener, called on the thread for listeners. What it is told of one
	 * request keeps its order. Only {@link RedlockListener#requested} is still called by
	 * the thread that asks.
	 * @param listener the listener
	 * @return a listener that never blocks; the listener itself if it is
	 * {@linkplain RedlockListener#isQuick() quick}
	 */
	public RedlockListener around(RedlockListener listener) {
		return listener.isQuick() ? listener : new Queued(listener);
	}

	/**
	 * Tells listeners something as soon as what came before has been told. Returns at
	 * once. Whatever the notification throws is logged.
	 * @param notification calls the listeners
	 */
	@Override
	public void execute(Runnable notification) {
		long before = this.dropped.get();
		try {
			this.thread.execute(() -> tell(notification, before));
		}
		catch (RejectedExecutionException ex) {
			drop();
		}
	}

	/**
	 * How many notifications were dropped so far because the queue was full.
	 * @return the number of notifications
	 */
	public long dropped() {
		return this.dropped.get();
	}

	/**
	 * From here on nothing is counted or logged: the thread is about to end.
	 */
	@Override
	public void close() {
		this.closed = true;
	}

	private void drop() {
		if (this.closed) {
			return;
		}
		long count = this.dropped.incrementAndGet();
		if (this.dropping.compareAndSet(false, true)) {
			logger.warn(
					"Listeners of the lock are too slow: their queue is full, and notifications are dropped until"
							+ " they catch up ({} so far). Locks are not affected. Let listeners return quickly.",
					count);
		}
	}

	/**
	 * @param droppedBefore how many had been dropped when this one was accepted; as long
	 * as the number grows behind it the queue is still full now and then
	 */
	private void tell(Runnable notification, long droppedBefore) {
		if (this.dropped.get() == droppedBefore && this.dropping.compareAndSet(true, false)) {
			logger.info("Listeners of the lock have caught up. {} notifications were dropped so far.", droppedBefore);
		}
		try {
			notification.run();
		}
		catch (Throwable ex) {
			logger.atLevel(this.closed ? Level.DEBUG : Level.WARN).setCause(ex).log("A listener of the lock failed");
		}
	}

	private final class Queued implements RedlockListener {

		private final RedlockListener listener;

		Queued(RedlockListener listener) {
			this.listener = listener;
		}

		@Override
		public @Nullable RequestListener requested(LockRequest request) {
			RequestListener follower = this.listener.requested(request);
			return (follower != null)
					? new RelayedListener((notification) -> execute(() -> notification.accept(follower))) : null;
		}

		@Override
		public void leaseLost(Lease lease, LossReason reason) {
			execute(() -> this.listener.leaseLost(lease, reason));
		}

	}

}

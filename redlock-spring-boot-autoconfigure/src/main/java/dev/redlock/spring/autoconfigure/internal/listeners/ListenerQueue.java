package dev.redlock.spring.autoconfigure.internal.listeners;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;

import dev.redlock.Lease;
import dev.redlock.LockAttempt;
import dev.redlock.LockRequest;
import dev.redlock.LossReason;
import dev.redlock.RedlockListener;
import dev.redlock.RequestListener;
import dev.redlock.RequestListener.HoldEnd;
import dev.redlock.RequestListener.RenewalOutcome;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Calls listeners on a thread of their own, so that a blocking listener delays no lock
 * request and no release. If its queue is full, notifications are dropped and counted.
 */
public final class ListenerQueue implements Executor, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(ListenerQueue.class);

	private final Executor thread;

	private final AtomicLong dropped = new AtomicLong();

	private volatile boolean closed;

	/**
	 * @param thread runs notifications one after the other, and throws
	 * {@link RejectedExecutionException} if its queue is full
	 */
	public ListenerQueue(Executor thread) {
		this.thread = thread;
	}

	/**
	 * Wraps a listener, so that only {@link RedlockListener#requested} is called on the
	 * thread that requests the lock. A {@linkplain RedlockListener#isQuick() quick}
	 * listener is returned unchanged.
	 */
	public RedlockListener around(RedlockListener listener) {
		if (listener.isQuick()) {
			return listener;
		}
		return new RedlockListener() {

			@Override
			public @Nullable RequestListener requested(LockRequest request) {
				RequestListener requestListener = listener.requested(request);
				return (requestListener != null) ? new QueuedRequestListener(requestListener) : null;
			}

			@Override
			public void leaseLost(Lease lease, LossReason reason) {
				execute(() -> listener.leaseLost(lease, reason));
			}

		};
	}

	@Override
	public void execute(Runnable notification) {
		try {
			this.thread.execute(() -> call(notification));
		}
		catch (RejectedExecutionException ex) {
			drop();
		}
	}

	public long dropped() {
		return this.dropped.get();
	}

	/**
	 * Stops counting and logging dropped notifications, because the thread for listeners
	 * is about to end.
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
		if (Long.bitCount(count) == 1) {
			logger.warn("Listeners of the lock are too slow: their queue is full, and notifications are dropped ({} so "
					+ "far). Locks are not affected. Let listeners return quickly.", count);
		}
	}

	private void call(Runnable notification) {
		try {
			notification.run();
		}
		catch (Throwable ex) {
			logger.atLevel(this.closed ? Level.DEBUG : Level.WARN).setCause(ex).log("A listener of the lock failed");
		}
	}

	private final class QueuedRequestListener implements RequestListener {

		private final RequestListener listener;

		private QueuedRequestListener(RequestListener listener) {
			this.listener = listener;
		}

		@Override
		public void voted(String node, Vote vote, Duration took) {
			execute(() -> this.listener.voted(node, vote, took));
		}

		@Override
		public void ended(LockAttempt attempt) {
			execute(() -> this.listener.ended(attempt));
		}

		@Override
		public void renewed(Lease lease, RenewalOutcome outcome) {
			execute(() -> this.listener.renewed(lease, outcome));
		}

		@Override
		public void holdEnded(Lease lease, HoldEnd end) {
			execute(() -> this.listener.holdEnded(lease, end));
		}

	}

}

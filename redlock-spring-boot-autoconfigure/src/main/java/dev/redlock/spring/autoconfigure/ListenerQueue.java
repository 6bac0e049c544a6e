package dev.redlock.spring.autoconfigure;

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
 * A bounded queue that calls listeners on a thread of their own. A listener that blocks
 * therefore delays neither a lock request nor a release. If the queue is full, a
 * notification is dropped and counted. A warning is logged each time the number of
 * dropped notifications has doubled. This class is thread-safe.
 */
final class ListenerQueue implements Executor, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(ListenerQueue.class);

	private final Executor thread;

	private final AtomicLong dropped = new AtomicLong();

	private volatile boolean closed;

	/**
	 * Creates the queue of notifications.
	 * @param thread runs one notification after the other, and throws
	 * {@link RejectedExecutionException} if its own bounded queue is full
	 */
	ListenerQueue(Executor thread) {
		this.thread = thread;
	}

	/**
	 * Wraps a listener, so that it is called on the thread for listeners. The listener
	 * receives the notifications about one lock request in order. Only
	 * {@link RedlockListener#requested} is called on the thread that requests the lock.
	 * @return a listener that never blocks. A {@linkplain RedlockListener#isQuick()
	 * quick} listener is returned unchanged
	 */
	RedlockListener around(RedlockListener listener) {
		if (listener.isQuick()) {
			return listener;
		}
		return new RedlockListener() {

			@Override
			public @Nullable RequestListener requested(LockRequest request) {
				RequestListener follower = listener.requested(request);
				return (follower != null) ? new Follower(follower) : null;
			}

			@Override
			public void leaseLost(Lease lease, LossReason reason) {
				execute(() -> listener.leaseLost(lease, reason));
			}

		};
	}

	/**
	 * Queues a notification behind the earlier notifications, and returns at once. If the
	 * notification throws an exception, the exception is logged.
	 */
	@Override
	public void execute(Runnable notification) {
		try {
			this.thread.execute(() -> tell(notification));
		}
		catch (RejectedExecutionException ex) {
			drop();
		}
	}

	/**
	 * Returns how many notifications were dropped so far because the queue was full.
	 */
	long dropped() {
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

	private void tell(Runnable notification) {
		try {
			notification.run();
		}
		catch (Throwable ex) {
			logger.atLevel(this.closed ? Level.DEBUG : Level.WARN).setCause(ex).log("A listener of the lock failed");
		}
	}

	/**
	 * Queues the listener's notifications about one lock request.
	 */
	private final class Follower implements RequestListener {

		private final RequestListener listener;

		private Follower(RequestListener listener) {
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

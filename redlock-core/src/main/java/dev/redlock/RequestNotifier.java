package dev.redlock;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;

import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the listener of one request what happens, in an order that makes sense, and
 * whatever the listener throws. A request without a listener has none.
 */
final class RequestNotifier {

	private static final Logger logger = LoggerFactory.getLogger(RequestNotifier.class);

	private final RequestListener listener;

	private final Executor callbacks;

	/** The two that may end a hold and tell of its beginning run on different threads. */
	private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.ASKING);

	private volatile HoldEnd end = HoldEnd.RELEASED;

	private RequestNotifier(RequestListener listener, Executor callbacks) {
		this.listener = listener;
		this.callbacks = callbacks;
	}

	/**
	 * Asks the listener of the lock whether the request is to be followed.
	 * @return null if it is not
	 */
	static @Nullable RequestNotifier of(LockRequest request, LockContext context) {
		try {
			RequestListener listener = context.listener().requested(request);
			return (listener != null) ? new RequestNotifier(listener, context.callbacks()) : null;
		}
		catch (Throwable ex) {
			failed(ex);
			return null;
		}
	}

	/**
	 * All nodes have voted in a try.
	 */
	void voted(Tally tally, long[] answerNanos) {
		this.callbacks.execute(() -> {
			for (int i = 0; i < answerNanos.length; i++) {
				String node = tally.nodes().get(i).name();
				Vote vote = tally.votes().get(i);
				Duration took = Duration.ofNanos(answerNanos[i]);
				if (vote != null) {
					tell(() -> this.listener.voted(node, vote, took));
				}
			}
		});
	}

	void ended(LockAttempt attempt) {
		tell(() -> this.listener.ended(attempt));
		Lease lease = attempt.lease().orElse(null);
		if (lease == null) {
			this.phase.set(Phase.OVER);
		}
		else if (!this.phase.compareAndSet(Phase.ASKING, Phase.HOLDING)) {
			// The hold was over before the listener could be told that it had begun.
			tell(() -> this.listener.holdEnded(lease, this.end));
		}
	}

	void renewed(Lease lease, RenewalOutcome outcome) {
		this.callbacks.execute(() -> tell(() -> this.listener.renewed(lease, outcome)));
	}

	void holdEnded(Lease lease, HoldEnd how) {
		this.end = how;
		if (this.phase.getAndSet(Phase.OVER) == Phase.HOLDING) {
			tell(() -> this.listener.holdEnded(lease, how));
		}
	}

	private static void tell(Runnable notification) {
		try {
			notification.run();
		}
		catch (Throwable ex) {
			failed(ex);
		}
	}

	private static void failed(Throwable failure) {
		logger.warn("A listener that follows a request for a lock failed", failure);
	}

	private enum Phase {

		ASKING, HOLDING, OVER

	}

}

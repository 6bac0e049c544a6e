package dev.redlock;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;

import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The notifier of the listener of one request. It never reports the end of a hold before
 * its beginning, and logs each exception of the listener. A request without a listener
 * has no notifier.
 */
final class RequestNotifier {

	private static final Logger logger = LoggerFactory.getLogger(RequestNotifier.class);

	private final RequestListener listener;

	private final Executor callbacks;

	/**
	 * Atomic, because the beginning and the end of a hold are reported on different
	 * threads.
	 */
	private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.ASKING);

	private volatile HoldEnd end = HoldEnd.RELEASED;

	private RequestNotifier(RequestListener listener, Executor callbacks) {
		this.listener = listener;
		this.callbacks = callbacks;
	}

	/**
	 * Asks the listener of the lock for a listener of this request.
	 * @return the notifier, null if there is no listener for the request
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
	 * Reports the votes of a try in which all nodes have voted.
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
			// The hold ended before its beginning was reported.
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
		logger.warn("A listener of a lock request failed", failure);
	}

	private enum Phase {

		ASKING, HOLDING, OVER

	}

}

package dev.redlock.internal;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import dev.redlock.Lease;
import dev.redlock.LockAttempt;
import dev.redlock.LockRequest;
import dev.redlock.RequestListener;
import dev.redlock.RequestListener.HoldEnd;
import dev.redlock.RequestListener.RenewalOutcome;
import dev.redlock.spi.Vote;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies the listener of one request. It reports the end of a hold once, and after its
 * beginning.
 */
final class RequestNotifier {

	private static final Logger logger = LoggerFactory.getLogger(RequestNotifier.class);

	/** The notifier of all requests without a listener, which does nothing. */
	static final RequestNotifier SILENT = new RequestNotifier(new RequestListener() {
	}, (task) -> {
	});

	static {
		// Otherwise this shared object would refer to the first lease for ever.
		SILENT.hold.cancel(false);
	}

	private final RequestListener listener;

	private final Executor callbacks;

	private final CompletableFuture<Lease> hold = new CompletableFuture<>();

	private final CompletableFuture<HoldEnd> holdEnd = new CompletableFuture<>();

	private RequestNotifier(RequestListener listener, Executor callbacks) {
		this.listener = listener;
		this.callbacks = callbacks;
		// The beginning and the end of a hold are reported on different threads. The
		// later of the two threads calls the listener.
		this.hold.thenAcceptBoth(this.holdEnd, (lease, end) -> tell(() -> listener.holdEnded(lease, end)));
	}

	/**
	 * Asks the listener of the lock for a listener of this request.
	 * @return its notifier, {@link #SILENT} if there is none
	 */
	static RequestNotifier of(LockRequest request, LockContext context) {
		RequestListener listener = context.listener().requested(request);
		return (listener != null) ? new RequestNotifier(listener, context.callbacks()) : SILENT;
	}

	/**
	 * Reports the votes of a try in which all nodes have voted.
	 */
	void voted(Tally tally, long[] answerNanos) {
		this.callbacks.execute(() -> {
			for (int i = 0; i < answerNanos.length; i++) {
				Vote vote = tally.votes().get(i);
				if (vote != null) {
					String node = tally.nodes().get(i).name();
					Duration took = Duration.ofNanos(answerNanos[i]);
					tell(() -> this.listener.voted(node, vote, took));
				}
			}
		});
	}

	void ended(LockAttempt attempt) {
		tell(() -> this.listener.ended(attempt));
		attempt.lease().ifPresent(this.hold::complete);
	}

	void renewed(Lease lease, RenewalOutcome outcome) {
		this.callbacks.execute(() -> tell(() -> this.listener.renewed(lease, outcome)));
	}

	void holdEnded(HoldEnd end) {
		this.holdEnd.complete(end);
	}

	/**
	 * Notifies the listener, and logs what it throws.
	 */
	private static void tell(Runnable notification) {
		try {
			notification.run();
		}
		catch (Throwable ex) {
			logger.warn("A listener of the lock failed", ex);
		}
	}

}

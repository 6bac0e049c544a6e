package dev.redlock.internal.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

import dev.redlock.Lease;
import dev.redlock.LockAttempt;
import dev.redlock.LockRequest;
import dev.redlock.RedlockListener;
import dev.redlock.RequestListener;
import dev.redlock.RequestListener.HoldEnd;
import dev.redlock.RequestListener.RenewalOutcome;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies the listeners of one request, and logs exceptions of listeners. The end of a
 * lease is reported once, and after its beginning. Thread-safe.
 */
public final class RequestNotifier {

	private static final Logger logger = LoggerFactory.getLogger(RequestNotifier.class);

	public static final RequestNotifier SILENT = new RequestNotifier(List.of(), (task) -> {
	});

	static {
		// All requests without a listener share this notifier, so the notifier must not
		// keep a lease in memory.
		SILENT.hold.cancel(false);
	}

	private final List<RequestListener> listeners;

	private final Executor callbacks;

	private final CompletableFuture<Lease> hold = new CompletableFuture<>();

	private final CompletableFuture<HoldEnd> holdEnd = new CompletableFuture<>();

	private RequestNotifier(List<RequestListener> listeners, Executor callbacks) {
		this.listeners = listeners;
		this.callbacks = callbacks;
		// The beginning and the end of a lease are reported on different threads, and the
		// later of the two threads calls the listeners.
		this.hold.thenAcceptBoth(this.holdEnd,
				(lease, end) -> tell(listeners, (listener) -> listener.holdEnded(lease, end)));
	}

	public static RequestNotifier of(LockRequest request, List<RedlockListener> all, Executor callbacks) {
		List<RequestListener> listeners = new ArrayList<>();
		tell(all, (listener) -> {
			RequestListener next = listener.requested(request);
			if (next != null) {
				listeners.add(next);
			}
		});
		return listeners.isEmpty() ? SILENT : new RequestNotifier(listeners, callbacks);
	}

	/**
	 * @param votes the votes in the order of the nodes, null for a node that has not
	 * voted
	 * @param answerNanos the time after which each vote came
	 */
	public void voted(List<LockNode> nodes, List<@Nullable Vote> votes, long[] answerNanos) {
		this.callbacks.execute(() -> {
			for (int i = 0; i < answerNanos.length; i++) {
				Vote vote = votes.get(i);
				if (vote != null) {
					String node = nodes.get(i).name();
					Duration took = Duration.ofNanos(answerNanos[i]);
					tell(this.listeners, (listener) -> listener.voted(node, vote, took));
				}
			}
		});
	}

	public void ended(LockAttempt attempt) {
		tell(this.listeners, (listener) -> listener.ended(attempt));
		attempt.lease().ifPresent(this.hold::complete);
	}

	public void renewed(Lease lease, RenewalOutcome outcome) {
		this.callbacks.execute(() -> tell(this.listeners, (listener) -> listener.renewed(lease, outcome)));
	}

	public void holdEnded(HoldEnd end) {
		this.holdEnd.complete(end);
	}

	public static <T> void tell(List<T> listeners, Consumer<T> notification) {
		for (T listener : listeners) {
			try {
				notification.accept(listener);
			}
			catch (Throwable ex) {
				logger.warn("A listener of the lock failed", ex);
			}
		}
	}

}

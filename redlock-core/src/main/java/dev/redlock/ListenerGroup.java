package dev.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import dev.redlock.RequestListener.HoldEnd;
import dev.redlock.RequestListener.RenewalOutcome;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A group of listeners. Each of them is notified, even if another one throws.
 */
final class ListenerGroup implements RedlockListener {

	private static final Logger logger = LoggerFactory.getLogger(ListenerGroup.class);

	private final List<RedlockListener> listeners;

	ListenerGroup(Collection<? extends RedlockListener> listeners) {
		this.listeners = new CopyOnWriteArrayList<>(listeners);
	}

	void add(RedlockListener listener) {
		this.listeners.add(listener);
	}

	void remove(RedlockListener listener) {
		this.listeners.remove(listener);
	}

	@Override
	public @Nullable RequestListener requested(LockRequest request) {
		List<RequestListener> all = new ArrayList<>();
		tell(this.listeners, (listener) -> {
			RequestListener next = listener.requested(request);
			if (next != null) {
				all.add(next);
			}
		});
		return switch (all.size()) {
			case 0 -> null;
			case 1 -> all.get(0);
			default -> new RelayedListener((notification) -> tell(all, notification));
		};
	}

	@Override
	public void leaseLost(Lease lease, LossReason reason) {
		tell(this.listeners, (listener) -> listener.leaseLost(lease, reason));
	}

	/**
	 * Notifies each of the listeners, and logs what they throw.
	 */
	private static <T> void tell(List<T> listeners, Consumer<T> notification) {
		for (T listener : listeners) {
			try {
				notification.accept(listener);
			}
			catch (Throwable ex) {
				logger.warn("A listener of the lock failed", ex);
			}
		}
	}

	/**
	 * A listener that passes on each notification to several listeners.
	 *
	 * @param relay calls each listener with the notification
	 */
	private record RelayedListener(Consumer<Consumer<RequestListener>> relay) implements RequestListener {

		@Override
		public void voted(String node, Vote vote, Duration took) {
			this.relay.accept((listener) -> listener.voted(node, vote, took));
		}

		@Override
		public void ended(LockAttempt attempt) {
			this.relay.accept((listener) -> listener.ended(attempt));
		}

		@Override
		public void renewed(Lease lease, RenewalOutcome outcome) {
			this.relay.accept((listener) -> listener.renewed(lease, outcome));
		}

		@Override
		public void holdEnded(Lease lease, HoldEnd end) {
			this.relay.accept((listener) -> listener.holdEnded(lease, end));
		}

	}

}

package dev.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Several listeners, each of which is told whatever the others do.
 */
final class ListenerGroup implements RedlockListener {

	private static final Logger logger = LoggerFactory.getLogger(ListenerGroup.class);

	private final RedlockListener[] listeners;

	ListenerGroup(Collection<? extends RedlockListener> listeners) {
		this.listeners = listeners.toArray(RedlockListener[]::new);
	}

	/**
	 * Costs nothing where nobody wants to follow.
	 */
	@Override
	public @Nullable RequestListener requested(LockRequest request) {
		RequestListener only = null;
		List<RequestListener> several = null;
		for (RedlockListener listener : this.listeners) {
			RequestListener next = requested(listener, request);
			if (next != null && only != null) {
				several = (several != null) ? several : new ArrayList<>(List.of(only));
				several.add(next);
			}
			only = (only != null) ? only : next;
		}
		return (several != null) ? new Followers(several) : only;
	}

	@Override
	public void leaseLost(Lease lease, LossReason reason) {
		tell(List.of(this.listeners), (listener) -> listener.leaseLost(lease, reason));
	}

	private static @Nullable RequestListener requested(RedlockListener listener, LockRequest request) {
		try {
			return listener.requested(request);
		}
		catch (Throwable ex) {
			failed(ex);
			return null;
		}
	}

	private static <T> void tell(List<T> listeners, Consumer<T> notification) {
		for (T listener : listeners) {
			try {
				notification.accept(listener);
			}
			catch (Throwable ex) {
				failed(ex);
			}
		}
	}

	private static void failed(Throwable failure) {
		logger.warn("A listener of the lock failed", failure);
	}

	/**
	 * All who follow one request.
	 */
	private record Followers(List<RequestListener> listeners) implements RequestListener {

		@Override
		public void voted(String node, Vote vote, Duration took) {
			tell(this.listeners, (listener) -> listener.voted(node, vote, took));
		}

		@Override
		public void ended(LockAttempt attempt) {
			tell(this.listeners, (listener) -> listener.ended(attempt));
		}

		@Override
		public void renewed(Lease lease, RenewalOutcome outcome) {
			tell(this.listeners, (listener) -> listener.renewed(lease, outcome));
		}

		@Override
		public void holdEnded(Lease lease, HoldEnd end) {
			tell(this.listeners, (listener) -> listener.holdEnded(lease, end));
		}

	}

}

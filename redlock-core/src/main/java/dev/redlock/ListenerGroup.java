package dev.redlock;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A group of listeners. Each of them is notified, even if another one throws.
 */
final class ListenerGroup implements RedlockListener {

	private static final Logger logger = LoggerFactory.getLogger(ListenerGroup.class);

	private final RedlockListener[] listeners;

	ListenerGroup(Collection<? extends RedlockListener> listeners) {
		this.listeners = listeners.toArray(RedlockListener[]::new);
	}

	/**
	 * Allocates nothing in the usual case that no listener follows the request.
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
		if (several == null) {
			return only;
		}
		List<RequestListener> all = several;
		return new RelayedListener((notification) -> tell(all, notification));
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

}

package dev.redlock.spring.autoconfigure;

import dev.redlock.Lease;
import dev.redlock.LossReason;
import dev.redlock.RedlockListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Tells all listener beans, each whatever the others do.
 */
final class RedlockListeners implements RedlockListener {

	private static final Logger log = LoggerFactory.getLogger(RedlockListeners.class);

	private final ObjectProvider<RedlockListener> listeners;

	RedlockListeners(ObjectProvider<RedlockListener> listeners) {
		this.listeners = listeners;
	}

	@Override
	public void leaseLost(Lease lease, LossReason reason) {
		this.listeners.orderedStream().forEach((listener) -> {
			try {
				listener.leaseLost(lease, reason);
			}
			catch (RuntimeException ex) {
				log.warn("A listener failed when it was told that the lock on {} was lost", lease.resources(), ex);
			}
		});
	}

}

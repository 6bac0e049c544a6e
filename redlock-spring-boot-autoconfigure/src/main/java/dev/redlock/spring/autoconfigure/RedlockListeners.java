package dev.redlock.spring.autoconfigure;

import java.util.List;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.LossReason;
import dev.redlock.RedlockListener;
import dev.redlock.RequestListener;
import dev.redlock.lettuce.NodeListener;
import dev.redlock.spi.NodeStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Notifies all listener beans, even if one of them fails, and publishes application
 * events. Quick listeners are called at once, everything else on the thread for
 * listeners.
 */
final class RedlockListeners implements RedlockListener, SmartInitializingSingleton, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.lease");

	private final ObjectProvider<RedlockListener> leaseListeners;

	private final ObjectProvider<NodeListener> nodeListeners;

	private final ApplicationEventPublisher events;

	private final ListenerQueue queue;

	/**
	 * Nodes change and leases are lost while the context creates its beans. Looking up
	 * listeners at that time would create beans on another thread.
	 */
	private volatile boolean beansAreMade;

	/**
	 * Looked up once, because each request needs it.
	 */
	private volatile RedlockListener listeners = RedlockListener.all(List.of());

	RedlockListeners(ObjectProvider<RedlockListener> leaseListeners, ObjectProvider<NodeListener> nodeListeners,
			ApplicationEventPublisher events, ListenerQueue queue) {
		this.leaseListeners = leaseListeners;
		this.nodeListeners = nodeListeners;
		this.events = events;
		this.queue = queue;
	}

	ListenerQueue queue() {
		return this.queue;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.listeners = RedlockListener.all(this.leaseListeners.orderedStream()
			.filter((listener) -> listener != this)
			.map(this.queue::around)
			.toList());
		this.beansAreMade = true;
	}

	@Override
	public @Nullable RequestListener requested(LockRequest request) {
		return this.listeners.requested(request);
	}

	@Override
	public void leaseLost(Lease lease, LossReason reason) {
		// Shutting down releases the remaining leases on purpose.
		logger.atLevel((reason == LossReason.SHUT_DOWN) ? Level.DEBUG : Level.WARN)
			.addKeyValue("redlock.resources", lease.resources())
			.addKeyValue("redlock.reason", reason)
			.log("The lock on {} was lost: {}", lease, reason);
		this.listeners.leaseLost(lease, reason);
		if (this.beansAreMade) {
			this.queue.execute(() -> this.events.publishEvent(new RedlockLossEvent(lease, reason)));
		}
	}

	@Override
	public void close() {
		this.queue.close();
	}

	/**
	 * Tells the listener beans of a node's change of state.
	 */
	void nodeChanged(String node, NodeStatus from, NodeStatus to) {
		if (this.beansAreMade) {
			this.nodeListeners.orderedStream()
				.forEach((listener) -> guarded(() -> listener.nodeChanged(node, from, to)));
			guarded(() -> this.events.publishEvent(new RedlockNodeEvent(node, from, to)));
		}
	}

	private static void guarded(Runnable notification) {
		try {
			notification.run();
		}
		catch (Throwable ex) {
			logger.warn("A listener of the lock failed", ex);
		}
	}

}

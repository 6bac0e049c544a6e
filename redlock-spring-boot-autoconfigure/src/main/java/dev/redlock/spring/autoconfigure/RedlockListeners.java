package dev.redlock.spring.autoconfigure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

import dev.redlock.Lease;
import dev.redlock.LossReason;
import dev.redlock.Redlock;
import dev.redlock.RedlockListener;
import dev.redlock.lettuce.NodeListener;
import dev.redlock.spi.NodeStatus;
import dev.redlock.spring.autoconfigure.internal.listeners.ListenerQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Adds all listener beans to the {@link Redlock} beans, logs lost leases and publishes
 * application events.
 */
final class RedlockListeners implements RedlockListener, SmartInitializingSingleton, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.lease");

	private final ListableBeanFactory beans;

	private final Consumer<Object> events;

	private final ListenerQueue queue;

	/**
	 * Listeners are looked up only after all beans are created, because an earlier lookup
	 * would create beans on another thread.
	 */
	private volatile boolean allBeansExist;

	/**
	 * The listener beans of this context, which are also notified about locks of parent
	 * contexts.
	 */
	private List<RedlockListener> ownListeners = List.of();

	private List<Redlock> parentLocks = List.of();

	RedlockListeners(ListableBeanFactory beans, Consumer<Object> events, ListenerQueue queue) {
		this.beans = beans;
		this.events = events;
		this.queue = queue;
	}

	ListenerQueue queue() {
		return this.queue;
	}

	@Override
	public void afterSingletonsInstantiated() {
		List<RedlockListener> all = this.beans.getBeanProvider(RedlockListener.class)
			.orderedStream()
			.filter((listener) -> !(listener instanceof RedlockListeners))
			.toList();
		Collection<RedlockListener> own = this.beans.getBeansOfType(RedlockListener.class).values();
		this.ownListeners = all.stream().filter(own::contains).map(this.queue::around).toList();
		Collection<Redlock> locks = this.beans.getBeansOfType(Redlock.class, false, true).values();
		this.parentLocks = new ArrayList<>(
				BeanFactoryUtils.beansOfTypeIncludingAncestors(this.beans, Redlock.class, false, true).values());
		this.parentLocks.removeAll(locks);
		// The auto-configured Redlock already has this listener, which must not be added
		// twice.
		locks.forEach((lock) -> lock.removeListener(this));
		locks.forEach((lock) -> lock.addListener(this));
		locks.forEach((lock) -> all.forEach((listener) -> lock.addListener(this.queue.around(listener))));
		this.parentLocks.forEach((lock) -> this.ownListeners.forEach(lock::addListener));
		this.allBeansExist = true;
	}

	@Override
	public void leaseLost(Lease lease, LossReason reason) {
		// The loss of a lease at shutdown is no warning, because the shutdown releases
		// leases on purpose.
		logger.atLevel((reason == LossReason.SHUT_DOWN) ? Level.DEBUG : Level.WARN)
			.addKeyValue("redlock.resources", lease.resources())
			.addKeyValue("redlock.reason", reason)
			.log("The lock on {} was lost: {}", lease, reason);
		if (this.allBeansExist) {
			this.queue.execute(() -> this.events.accept(new RedlockLossEvent(lease, reason)));
		}
	}

	@Override
	public void close() {
		this.parentLocks.forEach((lock) -> this.ownListeners.forEach(lock::removeListener));
		this.queue.close();
	}

	void nodeChanged(String node, NodeStatus from, NodeStatus to) {
		if (this.allBeansExist) {
			this.beans.getBeanProvider(NodeListener.class)
				.orderedStream()
				.forEach((listener) -> this.queue.execute(() -> listener.nodeChanged(node, from, to)));
			this.queue.execute(() -> this.events.accept(new RedlockNodeEvent(node, from, to)));
		}
	}

}

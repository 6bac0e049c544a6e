package dev.redlock.spring.autoconfigure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import dev.redlock.Lease;
import dev.redlock.LossReason;
import dev.redlock.Redlock;
import dev.redlock.RedlockListener;
import dev.redlock.lettuce.NodeListener;
import dev.redlock.spi.NodeStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Adds all listener beans to the locks, logs lost leases and publishes application
 * events. Quick listeners are called at once. All other listeners are called on the
 * thread for listeners.
 */
final class RedlockListeners implements RedlockListener, SmartInitializingSingleton, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.lease");

	private final ListableBeanFactory beans;

	private final ApplicationEventPublisher events;

	private final ListenerQueue queue;

	/**
	 * Whether all beans have been created. A node may change its state, or a lease may be
	 * lost, before all beans exist. Looking up listeners before all beans exist would
	 * create beans on another thread.
	 */
	private volatile boolean beansAreMade;

	/**
	 * The listener beans of this application context. These listeners are also notified
	 * about the locks of parent contexts.
	 */
	private List<RedlockListener> ofContext = List.of();

	private List<Redlock> inherited = List.of();

	RedlockListeners(ListableBeanFactory beans, ApplicationEventPublisher events, ListenerQueue queue) {
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
		this.ofContext = all.stream().filter(own::contains).map(this.queue::around).toList();
		Collection<Redlock> locks = this.beans.getBeansOfType(Redlock.class, false, true).values();
		this.inherited = new ArrayList<>(
				BeanFactoryUtils.beansOfTypeIncludingAncestors(this.beans, Redlock.class, false, true).values());
		this.inherited.removeAll(locks);
		// The auto-configured lock has this listener from its creation, so the listener
		// is removed before it is added again.
		locks.forEach((lock) -> lock.removeListener(this));
		locks.forEach((lock) -> lock.addListener(this));
		locks.forEach((lock) -> all.forEach((listener) -> lock.addListener(this.queue.around(listener))));
		this.inherited.forEach((lock) -> this.ofContext.forEach(lock::addListener));
		this.beansAreMade = true;
	}

	@Override
	public void leaseLost(Lease lease, LossReason reason) {
		// The shutdown releases the remaining leases on purpose, so their loss is no
		// warning.
		logger.atLevel((reason == LossReason.SHUT_DOWN) ? Level.DEBUG : Level.WARN)
			.addKeyValue("redlock.resources", lease.resources())
			.addKeyValue("redlock.reason", reason)
			.log("The lock on {} was lost: {}", lease, reason);
		if (this.beansAreMade) {
			this.queue.execute(() -> this.events.publishEvent(new RedlockLossEvent(lease, reason)));
		}
	}

	@Override
	public void close() {
		this.inherited.forEach((lock) -> this.ofContext.forEach(lock::removeListener));
		this.queue.close();
	}

	/**
	 * Notifies the listener beans that the state of a node has changed.
	 */
	void nodeChanged(String node, NodeStatus from, NodeStatus to) {
		if (this.beansAreMade) {
			this.beans.getBeanProvider(NodeListener.class)
				.orderedStream()
				.forEach((listener) -> this.queue.execute(() -> listener.nodeChanged(node, from, to)));
			this.queue.execute(() -> this.events.publishEvent(new RedlockNodeEvent(node, from, to)));
		}
	}

}

package dev.redlock.spring.autoconfigure;

import java.util.Collection;
import java.util.List;

import dev.redlock.Redlock;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Opens the {@link Redlock} beans of an application context when the context starts, and
 * closes the beans when the context stops. The Redlock beans open after Redis connection
 * factories (phase 0) and before the web server, and close in the reverse order.
 */
final class RedlockLifecycle implements SmartLifecycle {

	static final int PHASE = 1024;

	private final ListableBeanFactory beans;

	private volatile Collection<Redlock> openLocks = List.of();

	RedlockLifecycle(ListableBeanFactory beans) {
		this.beans = beans;
	}

	@Override
	public void start() {
		Collection<Redlock> locks = this.beans.getBeansOfType(Redlock.class, false, true).values();
		locks.forEach(Redlock::open);
		this.openLocks = locks;
	}

	@Override
	public void stop() {
		Collection<Redlock> locks = this.openLocks;
		this.openLocks = List.of();
		locks.forEach(Redlock::close);
	}

	@Override
	public boolean isRunning() {
		return !this.openLocks.isEmpty();
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	/**
	 * Locks stay open while the application context is paused, because the web server
	 * keeps running and needs locks.
	 */
	@Override
	public boolean isPauseable() {
		return false;
	}

}

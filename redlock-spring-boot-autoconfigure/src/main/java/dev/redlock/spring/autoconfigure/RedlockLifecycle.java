package dev.redlock.spring.autoconfigure;

import java.util.Collection;
import java.util.List;

import dev.redlock.Redlock;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Opens the locks of an application context when it starts, and closes them when it stops
 * or shuts down. The locks start after connection factories and before the web server.
 * When the locks close, the web server and other beans in the usual phases have already
 * stopped, and connection factories, which stop in phase 0, still work.
 */
final class RedlockLifecycle implements SmartLifecycle {

	static final int PHASE = 1024;

	private final ListableBeanFactory beans;

	/** The locks that were opened, empty while the context is stopped. */
	private volatile Collection<Redlock> open = List.of();

	RedlockLifecycle(ListableBeanFactory beans) {
		this.beans = beans;
	}

	@Override
	public void start() {
		Collection<Redlock> locks = this.beans.getBeansOfType(Redlock.class, false, true).values();
		locks.forEach(Redlock::open);
		this.open = locks;
	}

	@Override
	public void stop() {
		Collection<Redlock> locks = this.open;
		this.open = List.of();
		locks.forEach(Redlock::close);
	}

	@Override
	public boolean isRunning() {
		return !this.open.isEmpty();
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	/**
	 * The web server keeps running when the context is paused, and its requests need
	 * locks.
	 */
	@Override
	public boolean isPauseable() {
		return false;
	}

}

package dev.redlock.spring.autoconfigure;

import java.util.Collection;
import java.util.List;

import dev.redlock.Redlock;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Opens the locks of an application context when it starts, and closes them when it
 * stops. The locks start after connection factories and before the web server. When the
 * locks close, the web server and the other beans in the usual phases have already
 * stopped. Connection factories still work when the locks close, because connection
 * factories stop in phase 0.
 */
final class RedlockLifecycle implements SmartLifecycle {

	static final int PHASE = 1024;

	private final ListableBeanFactory beans;

	/**
	 * The locks that this object has opened, empty while the application context is
	 * stopped.
	 */
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
	 * The locks stay open while the application context is paused. The web server keeps
	 * running during the pause, and its requests need locks.
	 */
	@Override
	public boolean isPauseable() {
		return false;
	}

}

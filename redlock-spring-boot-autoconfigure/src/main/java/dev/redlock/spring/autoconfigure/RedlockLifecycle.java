package dev.redlock.spring.autoconfigure;

import dev.redlock.Redlock;

import org.springframework.context.SmartLifecycle;

/**
 * Closes the lock when the application shuts down: after the web server and whatever else
 * runs in the usual phases have come to rest, so that their locks were released by
 * themselves; and before connection factories, which stop in phase 0.
 */
final class RedlockLifecycle implements SmartLifecycle {

	static final int PHASE = 1024;

	private final Redlock redlock;

	private volatile boolean running;

	RedlockLifecycle(Redlock redlock) {
		this.redlock = redlock;
	}

	@Override
	public void start() {
		this.running = true;
	}

	@Override
	public void stop() {
		this.running = false;
		this.redlock.close();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	/**
	 * A closed lock stays closed, and a pause is no end.
	 */
	@Override
	public boolean isPauseable() {
		return false;
	}

}

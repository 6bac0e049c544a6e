package dev.redlock.spring.autoconfigure;

import dev.redlock.Redlock;

import org.springframework.context.SmartLifecycle;

/**
 * Closes the lock when the application shuts down. That is after the web server and other
 * beans in the usual phases have stopped, so that they released their locks, and before
 * connection factories, which stop in phase 0.
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
	 * A pause must not close the lock, because a closed lock cannot be opened again.
	 */
	@Override
	public boolean isPauseable() {
		return false;
	}

}

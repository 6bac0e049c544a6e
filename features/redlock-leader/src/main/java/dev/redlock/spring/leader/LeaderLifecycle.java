package dev.redlock.spring.leader;

import org.springframework.context.SmartLifecycle;

/**
 * Makes this process a candidate for its roles after all other beans have started, and
 * gives the roles up before other beans stop. Giving up waits for no call: the lease of a
 * role is released when its running calls have ended.
 */
final class LeaderLifecycle implements SmartLifecycle {

	private final Runnable start;

	private final Runnable stop;

	private volatile boolean running;

	LeaderLifecycle(Runnable start, Runnable stop) {
		this.start = start;
		this.stop = stop;
	}

	@Override
	public void start() {
		this.running = true;
		this.start.run();
	}

	@Override
	public void stop() {
		this.running = false;
		this.stop.run();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/**
	 * The process keeps its roles when the context is paused, because the beans that call
	 * the leader's methods keep running.
	 */
	@Override
	public boolean isPauseable() {
		return false;
	}

}

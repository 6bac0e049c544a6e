package dev.redlock.spring.job;

import org.springframework.context.SmartLifecycle;

/**
 * Lets jobs take no more ticks when the application context stops, so that other
 * processes run these ticks.
 */
final class JobLifecycle implements SmartLifecycle {

	private final JobExtension jobs;

	private volatile boolean running;

	JobLifecycle(JobExtension jobs) {
		this.jobs = jobs;
	}

	@Override
	public void start() {
		this.running = true;
		this.jobs.start();
	}

	@Override
	public void stop() {
		this.running = false;
		this.jobs.stop();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public boolean isPauseable() {
		return false;
	}

}

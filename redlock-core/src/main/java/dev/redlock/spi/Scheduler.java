package dev.redlock.spi;

import java.time.Duration;

/**
 * A scheduler for short tasks. Tasks never block, so one thread is enough. A scheduler
 * that has ended drops its tasks.
 */
@FunctionalInterface
public interface Scheduler {

	/**
	 * Runs a task once, after a delay.
	 */
	Timeout schedule(Duration delay, Runnable task);

	/**
	 * A task that has been scheduled.
	 */
	@FunctionalInterface
	interface Timeout {

		/**
		 * A {@code Timeout} that has no task to cancel.
		 */
		Timeout NONE = () -> {
		};

		/**
		 * Prevents the task from running, if it has not started, and discards it.
		 */
		void cancel();

	}

}

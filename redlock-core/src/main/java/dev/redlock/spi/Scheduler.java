package dev.redlock.spi;

import java.time.Duration;

/**
 * Runs short tasks later. They never block, so one thread is enough. After it has ended,
 * tasks are dropped.
 */
@FunctionalInterface
public interface Scheduler {

	/**
	 * Runs a task once, after a delay.
	 * @param delay the delay, zero or more
	 * @param task the task; it must not block
	 * @return a handle that prevents the task from running
	 */
	Timeout schedule(Duration delay, Runnable task);

	/**
	 * A task that has been scheduled.
	 */
	@FunctionalInterface
	interface Timeout {

		/**
		 * No task.
		 */
		Timeout NONE = () -> {
		};

		/**
		 * Prevents the task from running if it has not started, and forgets it.
		 */
		void cancel();

	}

}

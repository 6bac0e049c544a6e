package dev.redlock.spring.job;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The application event that this process has run or skipped a job for one scheduled time
 * (tick). The event is published on the thread that called the job. With
 * {@code onCrash = RERUN}, the event may come later on another thread.
 *
 * @param job the name of the job, which is also the name of its lock
 * @param method the class and the name of the job method
 * @param due the moment at which the job was due
 * @param next the moment at which the job is due next
 * @param outcome whether the job ran in this process and succeeded, or why not
 * @param fence the fence of the job's lock; 0 if the job did not run in this process or
 * fencing is disabled
 * @param duration how long the job ran in this process; zero if the job did not run in
 * this process
 * @param error the exception of the job, or the reason why the job did not run; null if
 * the outcome is {@code SUCCEEDED} or {@code TAKEN}
 */
public record RedlockJobEvent(String job, String method, Instant due, Instant next, Outcome outcome, long fence,
		Duration duration, @Nullable Throwable error) {

	/**
	 * Whether the job ran in this process for a tick and succeeded, or why not.
	 */
	public enum Outcome {

		/**
		 * The job ran in this process and succeeded.
		 */
		SUCCEEDED,

		/**
		 * The job ran in this process and threw an exception, or its lock was lost. With
		 * {@code onCrash = RERUN}, another process may run the tick again if the lock was
		 * lost.
		 */
		FAILED,

		/**
		 * Another process has run or started the job for this tick or for a later tick.
		 */
		TAKEN,

		/**
		 * Another run of the job still held the lock when {@code waitFor} was over, so
		 * this process does not run the tick.
		 */
		OVERLAPPED,

		/**
		 * Fewer than a majority of the servers recorded the tick as taken, so perhaps no
		 * process runs the job for this tick.
		 */
		LOST,

		/**
		 * This process could not find out whether it may run the tick, for example
		 * without a majority of servers. Another process may still run the job.
		 */
		UNDECIDED

	}

}

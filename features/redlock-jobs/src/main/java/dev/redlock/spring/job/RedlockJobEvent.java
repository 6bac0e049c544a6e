package dev.redlock.spring.job;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The application event that this process is done with one tick of a job, even if the job
 * did not run in this process. The event is published on the thread that called the job
 * or, after a watch with {@code onCrash = RERUN}, on another thread.
 *
 * @param job the name of the job, which is its locked resource
 * @param method the method, as class and name
 * @param due the moment at which the job was due
 * @param next the moment at which its next tick is due
 * @param outcome the outcome
 * @param fence the fence of the run, 0 if the job did not run in this process or has no
 * fence
 * @param duration how long the job ran, zero if it did not run in this process
 * @param error the exception of the job, or the reason why it did not run; null if the
 * job succeeded or another process has the tick
 */
public record RedlockJobEvent(String job, String method, Instant due, Instant next, Outcome outcome, long fence,
		Duration duration, @Nullable Throwable error) {

	/**
	 * The outcome of a tick in this process.
	 */
	public enum Outcome {

		/**
		 * The job ran in this process and succeeded.
		 */
		SUCCEEDED,

		/**
		 * The job ran in this process and threw an exception, or its lock was lost. With
		 * {@code onCrash = RERUN}, another process may run the tick again after a loss.
		 */
		FAILED,

		/**
		 * Another process has taken this tick or a later one.
		 */
		TAKEN,

		/**
		 * The lock was still held by a run of an earlier tick, or of this tick with
		 * {@code onCrash = RERUN}, when the time to wait was over. This process does not
		 * run the tick.
		 */
		OVERLAPPED,

		/**
		 * The tick was marked on too few nodes, so perhaps no process runs the job.
		 */
		LOST,

		/**
		 * The nodes could not decide, for example without a quorum. Another process may
		 * still run the job.
		 */
		UNDECIDED

	}

}

package dev.redlock.spring.job;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The application event that an instance is done with one tick of a job, whether the job
 * ran here or not. Published on the thread of the job.
 *
 * @param job the name of the job, which is its locked resource
 * @param method the method, as class and name
 * @param due the moment at which the job was due
 * @param outcome the outcome
 * @param fence the fence of the run, 0 if the job did not run here or has no fence
 * @param duration how long the job ran, zero if it did not run here
 * @param error what the job threw, or why it did not run; null if it succeeded or another
 * instance has the tick
 */
public record RedlockJobEvent(String job, String method, Instant due, Outcome outcome, long fence, Duration duration,
		@Nullable Throwable error) {

	/**
	 * The outcome of a tick in this instance.
	 */
	public enum Outcome {

		/**
		 * The job ran here.
		 */
		SUCCEEDED,

		/**
		 * The job ran here and threw an exception. It is not run again for this tick.
		 */
		FAILED,

		/**
		 * Another instance has taken this tick or a later one.
		 */
		TAKEN,

		/**
		 * An earlier tick was still running when the time to wait was over, so this
		 * instance does not run the job.
		 */
		OVERLAPPED,

		/**
		 * The tick was marked on too few nodes, so the job may run in no instance.
		 */
		LOST,

		/**
		 * The nodes could not decide, for example for want of a quorum. Another instance
		 * may still run the job.
		 */
		UNDECIDED

	}

}

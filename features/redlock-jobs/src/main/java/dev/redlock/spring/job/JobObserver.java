package dev.redlock.spring.job;

import java.time.Instant;

/**
 * Is told of the jobs of one application context, and of their runs in this process.
 */
interface JobObserver {

	/**
	 * Called once for each job, before its first run.
	 * @param next the time at which the job is due next
	 */
	void created(ScheduledJob job, Instant next);

	/**
	 * Called when this process has run or skipped a job.
	 */
	void ended(ScheduledJob job, RedlockJobEvent event);

}

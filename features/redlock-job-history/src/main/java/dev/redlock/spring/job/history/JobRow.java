package dev.redlock.spring.job.history;

import java.time.Duration;
import java.time.Instant;

import dev.redlock.spring.job.RedlockJobEvent;
import dev.redlock.spring.job.RedlockJobEvent.Outcome;
import dev.redlock.spring.job.RedlockJobStartEvent;
import org.jspecify.annotations.Nullable;

/**
 * A row of the table {@code redlock_job}: one run of one tick of a job, or the reason why
 * the tick did not run.
 *
 * @param fence the fence of the run, 0 without fencing, {@link #NOT_RUN} if the tick did
 * not run
 * @param started when the run started, null if the tick did not run
 * @param seen when the run's process last wrote that the run goes on
 * @param ended when the outcome was known, null while the job runs
 * @param outcome the outcome, null while the job runs
 */
record JobRow(String job, Instant due, Instant next, String instance, long fence, @Nullable Instant started,
		@Nullable Instant seen, @Nullable Instant ended, @Nullable String outcome, @Nullable String error) {

	/**
	 * The fence of a tick that did not run. This fence is less than the fence of any run,
	 * so that a later run replaces the row.
	 */
	static final long NOT_RUN = -1;

	/**
	 * The time after which a run counts as crashed: four times the interval at which a
	 * process writes that its jobs are running.
	 */
	private static final Duration LONGEST_SILENCE = Duration.ofMinutes(1);

	private static final int LONGEST_NAME = 255;

	private static final int LONGEST_ERROR = 1_000;

	JobRow {
		job = name(job);
		instance = shortened(instance, LONGEST_NAME);
		// Removes NUL characters, which PostgreSQL cannot store.
		error = (error != null) ? shortened(error.replace('\0', ' '), LONGEST_ERROR) : null;
	}

	static JobRow started(RedlockJobStartEvent event, String instance, Instant now) {
		return new JobRow(event.job(), event.due(), event.next(), instance, event.fence(), now, now, null, null, null);
	}

	static JobRow ended(RedlockJobEvent event, String instance, Instant now) {
		boolean ran = event.outcome() == Outcome.SUCCEEDED || event.outcome() == Outcome.FAILED;
		return new JobRow(event.job(), event.due(), event.next(), instance, ran ? event.fence() : NOT_RUN,
				ran ? now.minus(event.duration()) : null, now, now, event.outcome().name(),
				(event.error() != null) ? text(event.error()) : null);
	}

	/**
	 * Returns the name of a job in the table. Long names are shortened, and names with
	 * the same beginning stay different.
	 */
	static String name(String job) {
		return (job.length() <= LONGEST_NAME) ? job
				: shortened(job, LONGEST_NAME - 9) + "~" + Integer.toHexString(job.hashCode());
	}

	/**
	 * Whether the tick ran.
	 */
	boolean ran() {
		return this.started != null;
	}

	/**
	 * Whether the run has no recorded end, and its process has not written for a minute
	 * that the job is running.
	 */
	boolean isSilent(Instant now) {
		return ran() && this.ended == null && (this.seen == null || this.seen.plus(LONGEST_SILENCE).isBefore(now));
	}

	Run run() {
		return new Run(this.job, this.due, this.fence, this.instance);
	}

	/**
	 * Returns the message of an error. An exception may compute its message on demand,
	 * and this computation may fail.
	 */
	private static String text(Throwable error) {
		try {
			return error.toString();
		}
		catch (RuntimeException ex) {
			return error.getClass().getName();
		}
	}

	private static String shortened(String text, int most) {
		if (text.length() <= most) {
			return text;
		}
		return text.substring(0, Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most);
	}

	/**
	 * The identity of a run.
	 */
	record Run(String job, Instant due, long fence, String instance) {

	}

}

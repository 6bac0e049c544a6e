package dev.redlock.spring.job.history;

import java.time.Duration;
import java.time.Instant;

import dev.redlock.spring.job.RedlockJobEvent;
import dev.redlock.spring.job.RedlockJobEvent.Outcome;
import dev.redlock.spring.job.RedlockJobStartEvent;
import org.jspecify.annotations.Nullable;

/**
 * A row of the table {@code redlock_job}: one run of a job for one scheduled time, or the
 * reason why the job did not run.
 *
 * @param fence the fence of the job's lock; 0 if fencing is disabled, {@link #NOT_RUN} if
 * the job did not run
 * @param seen when the process of the run last recorded that the job is still running
 */
record JobRow(String job, Instant due, Instant next, String instance, long fence, @Nullable Instant started,
		@Nullable Instant seen, @Nullable Instant ended, @Nullable String outcome, @Nullable String error) {

	/**
	 * The value of the fence column if the job did not run, less than any fence, so that
	 * a later run replaces the row.
	 */
	static final long NOT_RUN = -1;

	/**
	 * A run counts as crashed if its row was not updated for this time.
	 */
	private static final Duration LONGEST_SILENCE = Duration.ofMinutes(1);

	private static final int LONGEST_NAME = 255;

	private static final int LONGEST_ERROR = 1_000;

	JobRow {
		job = name(job);
		instance = shortened(instance, LONGEST_NAME);
		// NUL characters are replaced, because PostgreSQL cannot store them in a text.
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
	 * Shortens a long name of a job in a way that keeps different names different.
	 */
	static String name(String job) {
		return (job.length() <= LONGEST_NAME) ? job
				: shortened(job, LONGEST_NAME - 9) + "~" + Integer.toHexString(job.hashCode());
	}

	boolean ran() {
		return this.started != null;
	}

	boolean isSilent(Instant now) {
		return ran() && this.ended == null && (this.seen == null || this.seen.plus(LONGEST_SILENCE).isBefore(now));
	}

	Run run() {
		return new Run(this.job, this.due, this.fence, this.instance);
	}

	/**
	 * Returns only the class name of an application's exception whose {@code toString()}
	 * throws.
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

	record Run(String job, Instant due, long fence, String instance) {

	}

}

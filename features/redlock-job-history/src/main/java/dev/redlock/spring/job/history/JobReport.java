package dev.redlock.spring.job.history;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

import dev.redlock.spring.job.RedlockJobEvent;
import org.jspecify.annotations.Nullable;

/**
 * A job with its last ticks in all processes.
 *
 * @param job the name of the job
 * @param lastSuccess when a tick last succeeded, null if no tick succeeded
 * @param age the time since the last success
 * @param next when the tick after the last tick is due
 * @param late for how long the next tick has been due; null if it is not due yet
 * @param missed the gaps between the ticks below
 * @param ticks the last ticks, the latest first; a tick that ran twice is listed twice
 */
record JobReport(String job, @Nullable Instant lastSuccess, @Nullable Duration age, Instant next,
		@Nullable Duration late, List<Gap> missed, List<Run> ticks) {

	private static final String CRASHED = "CRASHED";

	static JobReport of(@Nullable Instant lastSuccess, List<JobRow> rows, Instant now) {
		JobRow latest = rows.get(0);
		return new JobReport(latest.job(), rounded(lastSuccess), between(lastSuccess, now), latest.next(),
				now.isAfter(latest.next()) ? between(latest.next(), now) : null, gaps(rows), runs(rows, now));
	}

	/**
	 * Marks a run without an end as crashed if a later run has started, because both runs
	 * needed the lock.
	 */
	private static List<Run> runs(List<JobRow> rows, Instant now) {
		List<Run> runs = new ArrayList<>();
		boolean later = false;
		for (JobRow row : rows) {
			boolean crashed = row.ended() == null && (later || row.isSilent(now));
			runs.add(Run.of(row, crashed ? CRASHED : row.outcome()));
			later |= row.ran();
		}
		return runs;
	}

	private static List<Gap> gaps(List<JobRow> rows) {
		List<Gap> gaps = new ArrayList<>();
		for (int i = 1; i < rows.size(); i++) {
			Instant expected = rows.get(i).next();
			Instant found = rows.get(i - 1).due();
			if (expected.isBefore(found)) {
				gaps.add(new Gap(expected, found));
			}
		}
		return gaps;
	}

	private static @Nullable Instant rounded(@Nullable Instant instant) {
		return (instant != null) ? instant.truncatedTo(ChronoUnit.MILLIS) : null;
	}

	private static @Nullable Duration between(@Nullable Instant start, @Nullable Instant end) {
		return (start != null && end != null) ? Duration.between(start, end).truncatedTo(ChronoUnit.MILLIS) : null;
	}

	/**
	 * A gap of ticks that no process has recorded.
	 *
	 * @param first the first tick of the gap
	 * @param before the first tick after the gap
	 */
	record Gap(Instant first, Instant before) {

	}

	/**
	 * A run of a tick, or the reason why it did not run.
	 *
	 * @param due the moment at which the job was due
	 * @param outcome a name of {@link RedlockJobEvent.Outcome}; null while the job runs;
	 * {@code CRASHED} if no end is recorded, and a later run has started or its process
	 * has written nothing for a minute
	 * @param instance the label of the process that ran the tick or recorded why the tick
	 * did not run
	 * @param fence the fence of the run, null without a fence
	 * @param started when the run started, null if the tick did not run
	 * @param duration the duration of the run, null if the run did not end
	 * @param error the error, null without an error
	 */
	record Run(Instant due, @Nullable String outcome, String instance, @Nullable Long fence, @Nullable Instant started,
			@Nullable Duration duration, @Nullable String error) {

		static Run of(JobRow row, @Nullable String outcome) {
			return new Run(row.due(), outcome, row.instance(), (row.fence() > 0) ? row.fence() : null,
					rounded(row.started()), between(row.started(), row.ended()), row.error());
		}

	}

}

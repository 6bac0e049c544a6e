package dev.redlock.spring.job.history;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

import dev.redlock.spring.job.RedlockJobEvent;
import org.jspecify.annotations.Nullable;

/**
 * The last runs of a job in all processes.
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
	 * A run without a recorded end has crashed if a later run has started, because a
	 * running job's lock prevents a later run.
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
	 * A span of time in which the job was due and no process recorded a run.
	 *
	 * @param before the scheduled time of the first recorded run after the span
	 */
	record Gap(Instant first, Instant before) {

	}

	/**
	 * A run of a job for one scheduled time, or the reason why the job did not run.
	 *
	 * @param outcome a name of {@link RedlockJobEvent.Outcome}; null while the job runs;
	 * {@code CRASHED} if the process of the run seems to have died
	 */
	record Run(Instant due, @Nullable String outcome, String instance, @Nullable Long fence, @Nullable Instant started,
			@Nullable Duration duration, @Nullable String error) {

		static Run of(JobRow row, @Nullable String outcome) {
			return new Run(row.due(), outcome, row.instance(), (row.fence() > 0) ? row.fence() : null,
					rounded(row.started()), between(row.started(), row.ended()), row.error());
		}

	}

}

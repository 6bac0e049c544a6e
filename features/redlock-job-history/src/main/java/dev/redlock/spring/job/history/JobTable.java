package dev.redlock.spring.job.history;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The table {@code redlock_job}. All times in the table are UTC.
 */
final class JobTable {

	private static final String COLUMNS = "instance, fence, next_due, started_at, seen_at, ended_at, outcome, error,"
			+ " job_name, due";

	private static final String UPDATE = """
			UPDATE redlock_job SET instance = ?, fence = ?, next_due = ?, started_at = ?, seen_at = ?, ended_at = ?,
			outcome = ?, error = ? WHERE job_name = ? AND due = ? AND fence = ?""";

	private static final String UPDATE_OWN = UPDATE + " AND instance = ?";

	private static final String NOT_ENDED = " AND ended_at IS NULL";

	/**
	 * Updates a row only if its run has not ended, because a start event may be delivered
	 * after its end event.
	 */
	private static final String UPDATE_OWN_START = UPDATE_OWN + NOT_ENDED;

	private static final String INSERT = "INSERT INTO redlock_job (" + COLUMNS
			+ ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

	private static final String UPDATE_SEEN = """
			UPDATE redlock_job SET seen_at = ? WHERE job_name = ? AND due = ? AND fence = ? AND instance = ?
			AND ended_at IS NULL""";

	/**
	 * The inner subquery is for MySQL, where a DELETE can read its own table only in a
	 * nested subquery.
	 */
	private static final String DELETE = """
			DELETE FROM redlock_job WHERE next_due < ? AND (job_name, due) NOT IN (SELECT job_name, due FROM
			(SELECT job_name, MAX(due) AS due FROM redlock_job GROUP BY job_name) AS latest)""";

	/**
	 * Statements that change no row, but fail if a column or a permission on the table is
	 * missing.
	 */
	private static final List<String> CHECKS = List.of(
			"INSERT INTO redlock_job (" + COLUMNS + ") SELECT " + COLUMNS + " FROM redlock_job WHERE 1 = 0",
			"UPDATE redlock_job SET seen_at = ended_at WHERE 1 = 0", "DELETE FROM redlock_job WHERE 1 = 0");

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	JobTable(DataSource dataSource, Duration longest) {
		this.jdbc = new JdbcTemplate(dataSource);
		this.jdbc.setQueryTimeout((int) longest.toSeconds());
		// The DataSource may return connections without auto-commit, so each statement
		// runs in a transaction.
		this.transaction = new TransactionTemplate(new JdbcTransactionManager(dataSource));
	}

	/**
	 * Throws an exception if the table cannot be read or written.
	 */
	void check() {
		try {
			this.transaction.executeWithoutResult((status) -> CHECKS.forEach(this.jdbc::update));
		}
		catch (RuntimeException ex) {
			throw JobHistoryUnusableException.unusableTable(ex);
		}
	}

	/**
	 * A row for a run replaces a row that says why the job did not run. The row for the
	 * start of a run does not replace the row for the end of the run. If several
	 * processes report why the job did not run at a scheduled time, the first report
	 * stays. Without fences, all runs for a scheduled time share one row, and a later run
	 * replaces a run that did not end.
	 */
	void write(JobRow row) {
		boolean updated = write((row.outcome() != null) ? UPDATE_OWN : UPDATE_OWN_START, row, row.fence(),
				row.instance());
		if (!updated && !(row.ran() ? write(UPDATE, row, JobRow.NOT_RUN) : isKnown(row))) {
			insert(row);
		}
	}

	/**
	 * Records that runs are still running, and returns the runs that have ended or have
	 * no row.
	 */
	List<JobRow.Run> seen(List<JobRow.Run> runs, Instant now) {
		int[] rows = this.transaction.execute((status) -> this.jdbc.batchUpdate(UPDATE_SEEN,
				runs.stream()
					.map((run) -> new Object[] { utc(now), run.job(), utc(run.due()), run.fence(), run.instance() })
					.toList()));
		return IntStream.range(0, runs.size()).filter((i) -> rows[i] == 0).mapToObj(runs::get).toList();
	}

	/**
	 * Deletes old rows, but keeps the last row of each job, so that a missed run can be
	 * found after a long outage.
	 */
	void clean(Instant before) {
		this.transaction.executeWithoutResult((status) -> this.jdbc.update(DELETE, utc(before)));
	}

	List<String> jobs(int most) {
		return this.jdbc.queryForList("SELECT DISTINCT job_name FROM redlock_job ORDER BY job_name LIMIT " + most,
				String.class);
	}

	List<JobRow> latest(String job, int most) {
		return this.jdbc.query(
				"SELECT * FROM redlock_job WHERE job_name = ? ORDER BY due DESC, fence DESC LIMIT " + most,
				(result, number) -> row(result), job);
	}

	@Nullable Instant lastSuccess(String job) {
		return instant(this.jdbc.queryForObject(
				"SELECT MAX(ended_at) FROM redlock_job WHERE job_name = ? AND outcome = 'SUCCEEDED'",
				LocalDateTime.class, job));
	}

	/**
	 * A run with the outcome {@code OVERLAPPED} is not missed, because the job was
	 * skipped on purpose.
	 */
	boolean isMissed(String job, Instant due) {
		Instant first = instant(this.jdbc.queryForObject("SELECT MIN(due) FROM redlock_job WHERE job_name = ?",
				LocalDateTime.class, job));
		Integer ended = this.jdbc.queryForObject("""
				SELECT COUNT(*) FROM redlock_job WHERE job_name = ? AND due >= ?
				AND outcome IN ('SUCCEEDED', 'FAILED', 'OVERLAPPED')""", Integer.class, job, utc(due));
		return first != null && first.isBefore(due) && ended != null && ended == 0;
	}

	private boolean isKnown(JobRow row) {
		Integer rows = this.jdbc.queryForObject("SELECT COUNT(*) FROM redlock_job WHERE job_name = ? AND due = ?",
				Integer.class, row.job(), utc(row.due()));
		return rows != null && rows > 0;
	}

	private void insert(JobRow row) {
		try {
			write(INSERT, row);
		}
		catch (DuplicateKeyException ex) {
			// The row exists already: the run has ended, or another process has recorded
			// why the job did not run.
			if (row.fence() == 0) {
				write(UPDATE + NOT_ENDED, row, row.fence());
			}
		}
	}

	private boolean write(String statement, JobRow row, Object... condition) {
		@Nullable Object[] values = { row.instance(), row.fence(), utc(row.next()), utc(row.started()), utc(row.seen()),
				utc(row.ended()), row.outcome(), row.error(), row.job(), utc(row.due()) };
		@Nullable Object[] all = Stream.concat(Stream.of(values), Stream.of(condition)).toArray();
		Integer changed = this.transaction.execute((status) -> this.jdbc.update(statement, all));
		return changed != null && changed > 0;
	}

	private static JobRow row(ResultSet result) throws SQLException {
		return new JobRow(result.getString("job_name"), required(result, "due"), required(result, "next_due"),
				result.getString("instance"), result.getLong("fence"), at(result, "started_at"), at(result, "seen_at"),
				at(result, "ended_at"), result.getString("outcome"), result.getString("error"));
	}

	private static Instant required(ResultSet result, String column) throws SQLException {
		return Objects.requireNonNull(at(result, column));
	}

	private static @Nullable Instant at(ResultSet result, String column) throws SQLException {
		return instant(result.getObject(column, LocalDateTime.class));
	}

	private static @Nullable Instant instant(@Nullable LocalDateTime utc) {
		return (utc != null) ? utc.toInstant(ZoneOffset.UTC) : null;
	}

	private static @Nullable LocalDateTime utc(@Nullable Instant instant) {
		return (instant != null) ? LocalDateTime.ofInstant(instant.truncatedTo(ChronoUnit.MICROS), ZoneOffset.UTC)
				: null;
	}

}

package dev.redlock.spring.job;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The table {@code redlock_job}. All times in it are UTC.
 */
final class JobTable {

	private static final String UPDATE = """
			UPDATE redlock_job SET instance = ?, fence = ?, next_due = ?, started_at = ?, ended_at = ?, outcome = ?,
			error = ? WHERE job_name = ? AND due = ? AND (fence < ? OR fence = ? AND instance = ?%s)""";

	private static final String UPDATE_WITH_END = UPDATE.formatted("");

	/** A start may be delivered after its end, if events are delivered asynchronously. */
	private static final String UPDATE_WITH_START = UPDATE.formatted(" AND ended_at IS NULL");

	private static final String INSERT = """
			INSERT INTO redlock_job (instance, fence, next_due, started_at, ended_at, outcome, error, job_name, due)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""";

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	/**
	 * @param longest the longest time that a statement may take
	 */
	JobTable(DataSource dataSource, Duration longest) {
		this.jdbc = new JdbcTemplate(dataSource);
		this.jdbc.setQueryTimeout((int) longest.toSeconds());
		// Connections may come without auto-commit.
		this.transaction = new TransactionTemplate(new JdbcTransactionManager(dataSource));
	}

	/**
	 * Writes a row, unless the table has that of a run with a higher fence, with the same
	 * fence of another instance, or the end of the run of which this is the start.
	 */
	void write(JobRow row) {
		if (!update(row) && !insert(row)) {
			// Another instance has inserted its row in between.
			update(row);
		}
	}

	/**
	 * Deletes the ticks whose next tick was due before a moment. So the last tick of a
	 * job that runs once a year stays.
	 */
	void clean(Instant before) {
		this.transaction.executeWithoutResult(
				(status) -> this.jdbc.update("DELETE FROM redlock_job WHERE next_due < ?", utc(before)));
	}

	List<String> jobs(int most) {
		return this.jdbc.queryForList("SELECT DISTINCT job_name FROM redlock_job ORDER BY job_name LIMIT " + most,
				String.class);
	}

	/**
	 * Returns the last ticks of a job, the latest first.
	 */
	List<JobRow> latest(String job, int most) {
		return this.jdbc.query("SELECT * FROM redlock_job WHERE job_name = ? ORDER BY due DESC LIMIT " + most,
				(result, number) -> row(result), job);
	}

	@Nullable Instant lastSuccess(String job) {
		return instant(this.jdbc.queryForObject(
				"SELECT MAX(ended_at) FROM redlock_job WHERE job_name = ? AND outcome = 'SUCCEEDED'",
				LocalDateTime.class, job));
	}

	/**
	 * Whether there is an earlier tick, and neither this tick nor a later one has ended.
	 * A tick that overlapped with another one was left out on purpose.
	 */
	boolean isMissed(String job, Instant due) {
		Instant first = instant(this.jdbc.queryForObject("SELECT MIN(due) FROM redlock_job WHERE job_name = ?",
				LocalDateTime.class, job));
		Integer ended = this.jdbc.queryForObject("""
				SELECT COUNT(*) FROM redlock_job WHERE job_name = ? AND due >= ?
				AND outcome IN ('SUCCEEDED', 'FAILED', 'OVERLAPPED')""", Integer.class, job, utc(due));
		return first != null && first.isBefore(due) && ended != null && ended == 0;
	}

	private boolean update(JobRow row) {
		String statement = (row.ended() != null) ? UPDATE_WITH_END : UPDATE_WITH_START;
		return write(statement, row, row.fence(), row.fence(), row.instance());
	}

	private boolean insert(JobRow row) {
		try {
			return write(INSERT, row);
		}
		catch (DuplicateKeyException ex) {
			return false;
		}
	}

	private boolean write(String statement, JobRow row, Object... condition) {
		@Nullable Object[] values = { row.instance(), row.fence(), utc(row.next()), utc(row.started()), utc(row.ended()),
				row.outcome(), row.error(), row.job(), utc(row.due()) };
		@Nullable Object[] all = Stream.concat(Stream.of(values), Stream.of(condition)).toArray();
		Integer changed = this.transaction.execute((status) -> this.jdbc.update(statement, all));
		return changed != null && changed > 0;
	}

	private static JobRow row(ResultSet result) throws SQLException {
		return new JobRow(result.getString("job_name"), required(result, "due"), required(result, "next_due"),
				result.getString("instance"), result.getLong("fence"), at(result, "started_at"), at(result, "ended_at"),
				result.getString("outcome"), result.getString("error"));
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

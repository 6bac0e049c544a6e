package dev.redlock.spring.job.history;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import javax.sql.DataSource;

import dev.redlock.spi.Scheduler;
import dev.redlock.spring.job.RedlockJobEvent;
import dev.redlock.spring.job.RedlockJobEvent.Outcome;
import dev.redlock.spring.job.RedlockJobStartEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.event.EventListener;

/**
 * Records the job runs of all processes in the table {@code redlock_job}. While a job
 * runs, its process updates the row of the run every 15 seconds, so a row without updates
 * shows a crash.
 * <p>
 * A separate thread writes the table, so a slow or broken database neither delays a job
 * nor makes the job fail.
 */
final class JobHistory implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(JobHistory.class);

	private static final int JOBS_TO_SHOW = 100;

	private static final int RUNS_TO_SHOW = 10;

	private static final Duration LONGEST_STATEMENT = Duration.ofSeconds(10);

	private static final Duration BETWEEN_HEARTBEATS = Duration.ofSeconds(15);

	private static final Duration BETWEEN_CLEANINGS = Duration.ofHours(1);

	private static final Duration LAST_WRITES = Duration.ofSeconds(2);

	private final JobTable table;

	private final Supplier<String> instance;

	private final Duration retention;

	private final Clock clock;

	private final ThreadPoolExecutor writer;

	private final Scheduler timer;

	private final Set<JobRow.Run> running = ConcurrentHashMap.newKeySet();

	private volatile Instant nextCleaning = Instant.MIN;

	private final AtomicBoolean failing = new AtomicBoolean();

	private final AtomicLong failures = new AtomicLong();

	/**
	 * @param writer runs its tasks in their order
	 */
	JobHistory(DataSource dataSource, Supplier<String> instance, Duration retention, Clock clock,
			ThreadPoolExecutor writer, Scheduler timer) {
		this.table = new JobTable(dataSource, LONGEST_STATEMENT);
		this.table.check();
		this.instance = instance;
		this.retention = retention;
		this.clock = clock;
		this.writer = writer;
		this.timer = timer;
		timer.schedule(BETWEEN_HEARTBEATS, this::heartbeat);
	}

	@EventListener
	void started(RedlockJobStartEvent event) {
		JobRow row = JobRow.started(event, this.instance.get(), this.clock.instant());
		// The row must be queued before the run is added to "running", because
		// heartbeat() updates the rows of all running jobs.
		write(row);
		this.running.add(row.run());
	}

	/**
	 * Does not record {@code TAKEN}, because the process that has run or started the job
	 * records the outcome.
	 */
	@EventListener
	void ended(RedlockJobEvent event) {
		if (event.outcome() != Outcome.TAKEN) {
			JobRow row = JobRow.ended(event, this.instance.get(), this.clock.instant());
			this.running.remove(row.run());
			write(row);
		}
	}

	List<JobReport> jobs() {
		Instant now = this.clock.instant();
		return this.table.jobs(JOBS_TO_SHOW)
			.stream()
			.map((job) -> this.table.latest(job, RUNS_TO_SHOW))
			.filter((rows) -> !rows.isEmpty())
			.map((rows) -> JobReport.of(this.table.lastSuccess(rows.get(0).job()), rows, now))
			.toList();
	}

	/**
	 * Whether the table has a row of the job before {@code due}, but no ended run at
	 * {@code due} or later.
	 */
	boolean isMissed(String job, Instant due) {
		return this.table.isMissed(JobRow.name(job), due);
	}

	/**
	 * After all waiting rows were written, runs an action on the history's thread if
	 * {@link #isMissed} returns true.
	 * @param action must be short, because the history has only one thread
	 */
	void ifMissed(String job, Instant due, Runnable action) {
		submit(0, () -> {
			if (isMissed(job, due)) {
				action.run();
			}
		});
	}

	/**
	 * Returns the number of rows that could not be written.
	 */
	long failures() {
		return this.failures.get();
	}

	/**
	 * Waits at most two seconds until all waiting rows are written.
	 */
	@Override
	public void close() {
		this.writer.shutdown();
		try {
			this.writer.awaitTermination(LAST_WRITES.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		int left = this.writer.shutdownNow().stream().mapToInt((task) -> ((Task) task).rows).sum();
		if (left > 0) {
			this.failures.addAndGet(left);
			logger.warn("{} rows of the history of jobs were not written before the shutdown", left);
		}
	}

	boolean isIdle() {
		return this.writer.getCompletedTaskCount() == this.writer.getTaskCount();
	}

	/**
	 * Updates the rows of this process's running jobs every 15 seconds, to show that the
	 * process has not crashed.
	 */
	private void heartbeat() {
		if (this.writer.isShutdown()) {
			return;
		}
		this.timer.schedule(BETWEEN_HEARTBEATS, this::heartbeat);
		List<JobRow.Run> runs = List.copyOf(this.running);
		if (!runs.isEmpty()) {
			// A start event may be delivered after its end event, so runs that have ended
			// in the table are removed from "running".
			submit(0, () -> this.table.seen(runs, this.clock.instant()).forEach(this.running::remove));
		}
	}

	private void write(JobRow row) {
		submit(1, () -> this.table.write(row));
	}

	private void submit(int rows, Runnable action) {
		try {
			this.writer.execute(new Task(rows, action));
		}
		catch (RejectedExecutionException ex) {
			failed(rows, ex);
		}
	}

	private void clean() {
		Instant now = this.clock.instant();
		if (!now.isBefore(this.nextCleaning)) {
			this.nextCleaning = now.plus(BETWEEN_CLEANINGS);
			this.table.clean(now.minus(this.retention));
		}
	}

	private void failed(int rows, RuntimeException cause) {
		this.failures.addAndGet(rows);
		// A row that is rejected after close() is not logged, because a job may end later
		// than the history.
		if (!this.writer.isShutdown() && this.failing.compareAndSet(false, true)) {
			logger.warn("The history of jobs cannot be written, and jobs run without it. The history needs the table "
					+ "redlock_job: set redlock.jobs.history.initialize-schema to always, create the table by a "
					+ "script schema-*.sql from redlock-job-history, or set redlock.jobs.history.enabled to false. {}",
					String.valueOf(cause));
			logger.debug("The history of jobs cannot be written", cause);
		}
	}

	private final class Task implements Runnable {

		private final Runnable action;

		private int rows;

		/**
		 * @param rows how many rows the history lacks if the action fails
		 */
		private Task(int rows, Runnable action) {
			this.rows = rows;
			this.action = action;
		}

		@Override
		public void run() {
			try {
				this.action.run();
				this.rows = 0;
				clean();
			}
			catch (RuntimeException ex) {
				failed(this.rows, ex);
				return;
			}
			if (JobHistory.this.failing.compareAndSet(true, false)) {
				logger.info("The history of jobs can be written again. {} rows of the history were not written",
						failures());
			}
		}

	}

}

package dev.redlock.spring.job.history;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.redlock.memory.ManualTime;
import dev.redlock.spring.job.RedlockJobEvent;
import dev.redlock.spring.job.RedlockJobEvent.Outcome;
import dev.redlock.spring.job.RedlockJobStartEvent;
import org.awaitility.Awaitility;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

@ExtendWith(OutputCaptureExtension.class)
class JobHistoryTests {

	private static final Instant NOW = Instant.parse("2026-11-22T12:00:30Z");

	private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");

	private static final Duration HOUR = Duration.ofHours(1);

	private static final Duration HEARTBEAT = Duration.ofSeconds(15);

	private final ManualTime time = new ManualTime();

	private final Switch database = new Switch();

	private Instant now = NOW;

	private final JobHistory one = history("one");

	private final JobHistory two = history("two");

	@AfterEach
	void close() {
		this.database.mend();
		this.one.close();
		this.two.close();
	}

	@Test
	void aTickThatRunsIsARowWithoutAnOutcomeUntilItHasEnded() {
		this.one.started(start(NOON, 7));
		written(this.one);
		assertThat(ticks()).extracting(JobReport.Run::instance, JobReport.Run::fence, JobReport.Run::outcome)
			.containsExactly(tuple("one", 7L, null));
		this.one.ended(end(NOON, 7, Outcome.SUCCEEDED));
		written(this.one);
		JobReport.Run run = ticks().get(0);
		assertThat(run.outcome()).isEqualTo("SUCCEEDED");
		assertThat(run.due()).isEqualTo(NOON);
		assertThat(run.started()).isEqualTo(NOW.minusSeconds(2));
		assertThat(run.duration()).isEqualTo(Duration.ofSeconds(2));
		assertThat(run.error()).isNull();
	}

	@Test
	void aStartThatIsDeliveredBehindTheEndOfItsRunChangesNothing() {
		this.one.ended(end(NOON, 7, Outcome.SUCCEEDED));
		this.one.started(start(NOON, 7));
		written(this.one);
		assertThat(ticks()).extracting(JobReport.Run::fence, JobReport.Run::outcome)
			.containsExactly(tuple(7L, "SUCCEEDED"));
		this.one.started(start(NOON, 8));
		written(this.one);
		assertThat(ticks()).extracting(JobReport.Run::fence, JobReport.Run::outcome)
			.containsExactly(tuple(8L, null), tuple(7L, "SUCCEEDED"));
	}

	@Test
	void aFailureIsRecordedWithItsError() {
		this.one.ended(new RedlockJobEvent("job", "Jobs.job", NOON, NOON.plus(HOUR), Outcome.FAILED, 7, Duration.ZERO,
				new IllegalStateException("of the\0job" + "!".repeat(2_000))));
		written(this.one);
		assertThat(ticks().get(0).error()).startsWith("java.lang.IllegalStateException: of the job!").hasSize(1_000);
	}

	@Test
	void aFailureThatCannotBeToldEndsItsRunToo() {
		this.one.started(start(NOON, 7));
		this.one.ended(new RedlockJobEvent("job", "Jobs.job", NOON, NOON.plus(HOUR), Outcome.FAILED, 7, Duration.ZERO,
				new Untold()));
		written(this.one);
		assertThat(ticks()).extracting(JobReport.Run::outcome, JobReport.Run::error)
			.containsExactly(tuple("FAILED", Untold.class.getName()));
	}

	@Test
	void aRunWhoseInstanceSaysNothingForAMinuteHasCrashed() {
		this.one.started(start(NOON, 7));
		written(this.one);
		passes(50);
		assertThat(ticks()).extracting(JobReport.Run::outcome).containsOnlyNulls();
		this.time.advance(HEARTBEAT);
		written(this.one);
		passes(50);
		assertThat(ticks()).extracting(JobReport.Run::outcome).containsOnlyNulls();
		passes(20);
		JobReport.Run crashed = ticks().get(0);
		assertThat(crashed.outcome()).isEqualTo("CRASHED");
		assertThat(crashed.instance()).isEqualTo("one");
		assertThat(crashed.started()).isEqualTo(NOW);
		assertThat(crashed.duration()).isNull();
	}

	@Test
	void aRunThatWasTakenForCrashedAndEndsHasTheOutcomeOfItsEnd() {
		this.one.started(start(NOON, 7));
		written(this.one);
		passes(300);
		assertThat(ticks()).extracting(JobReport.Run::outcome).containsExactly("CRASHED");
		this.one.ended(end(NOON, 7, Outcome.SUCCEEDED));
		this.time.advance(HEARTBEAT);
		written(this.one);
		assertThat(ticks()).extracting(JobReport.Run::outcome).containsExactly("SUCCEEDED");
	}

	@Test
	void aRerunKeepsTheRecordOfTheRunThatCrashed() {
		this.one.started(start(NOON, 7));
		written(this.one);
		this.two.started(start(NOON, 9));
		written(this.two);
		assertThat(ticks()).extracting(JobReport.Run::instance, JobReport.Run::fence, JobReport.Run::outcome)
			.containsExactly(tuple("two", 9L, null), tuple("one", 7L, "CRASHED"));
		this.two.ended(end(NOON, 9, Outcome.SUCCEEDED));
		written(this.two);
		assertThat(ticks()).extracting(JobReport.Run::instance, JobReport.Run::fence, JobReport.Run::outcome)
			.containsExactly(tuple("two", 9L, "SUCCEEDED"), tuple("one", 7L, "CRASHED"));
		assertThat(this.one.jobs().get(0).missed()).isEmpty();
	}

	@Test
	void withoutFencesARerunTakesTheRecordOfTheRunThatCrashed() {
		this.one.started(start(NOON, 0));
		written(this.one);
		this.two.started(start(NOON, 0));
		written(this.two);
		assertThat(ticks()).extracting(JobReport.Run::instance, JobReport.Run::outcome)
			.containsExactly(tuple("two", null));
		this.two.ended(end(NOON, 0, Outcome.SUCCEEDED));
		written(this.two);
		this.two.started(start(NOON, 0));
		this.time.advance(HEARTBEAT);
		written(this.two);
		written(this.one);
		assertThat(ticks()).extracting(JobReport.Run::instance, JobReport.Run::outcome)
			.containsExactly(tuple("two", "SUCCEEDED"));
		assertThat(this.one.isMissed("job", NOON)).isFalse();
	}

	@Test
	void aRunWithoutAnEndBeforeTheRunOfALaterTickHasCrashed() {
		this.one.started(start(NOON.minus(HOUR), 7));
		this.one.ended(end(NOON.minusSeconds(1_800), 0, Outcome.OVERLAPPED));
		written(this.one);
		assertThat(ticks()).extracting(JobReport.Run::outcome).containsExactly("OVERLAPPED", null);
		this.two.started(start(NOON, 9));
		written(this.two);
		assertThat(ticks()).extracting(JobReport.Run::instance, JobReport.Run::outcome)
			.containsExactly(tuple("two", null), tuple("one", "OVERLAPPED"), tuple("one", "CRASHED"));
	}

	@Test
	void aTickThatDidNotRunTellsWhyUntilAnInstanceRunsIt() {
		this.one.ended(end(NOON, 0, Outcome.UNDECIDED));
		written(this.one);
		this.two.ended(end(NOON, 0, Outcome.OVERLAPPED));
		written(this.two);
		assertThat(ticks()).extracting(JobReport.Run::instance, JobReport.Run::outcome)
			.containsExactly(tuple("one", "UNDECIDED"));
		this.two.started(start(NOON, 0));
		written(this.two);
		this.one.ended(end(NOON, 0, Outcome.UNDECIDED));
		written(this.one);
		assertThat(ticks()).extracting(JobReport.Run::instance, JobReport.Run::outcome)
			.containsExactly(tuple("two", null));
	}

	@Test
	void ticksThatNoInstanceRecordedAreTold() {
		for (int hour : new int[] { -8, -7, -4, -3 }) {
			this.one.ended(end(NOON.plus(HOUR.multipliedBy(hour)), 10 + hour, Outcome.SUCCEEDED));
		}
		written(this.one);
		JobReport report = this.one.jobs().get(0);
		assertThat(report.missed())
			.containsExactly(new JobReport.Gap(NOON.minus(HOUR.multipliedBy(6)), NOON.minus(HOUR.multipliedBy(4))));
		assertThat(report.next()).isEqualTo(NOON.minus(HOUR.multipliedBy(2)));
		assertThat(report.late()).isEqualTo(Duration.ofMinutes(120).plusSeconds(30));
		assertThat(report.lastSuccess()).isEqualTo(NOW);
		assertThat(report.age()).isZero();
	}

	@Test
	void oldTicksAreDeletedAndTheLastOneOfARareJobStays() {
		Instant old = NOON.minus(Duration.ofDays(40));
		this.one.ended(new RedlockJobEvent("yearly", "Jobs.yearly", old, old.plus(Duration.ofDays(365)),
				Outcome.SUCCEEDED, 1, Duration.ZERO, null));
		this.one.ended(end(old, 1, Outcome.SUCCEEDED));
		this.one.ended(end(NOON, 2, Outcome.SUCCEEDED));
		written(this.one);
		// A new instance cleans with its first row.
		this.two.ended(end(NOON, 3, Outcome.SUCCEEDED));
		written(this.two);
		assertThat(this.one.jobs()).extracting(JobReport::job, (job) -> job.ticks().size())
			.containsExactly(tuple("job", 2), tuple("yearly", 1));
		assertThat(ticks()).extracting(JobReport.Run::due).containsOnly(NOON);
	}

	@Test
	void afterAnOutageLongerThanTheRetentionEachJobCatchesUp() {
		Instant old = NOON.minus(Duration.ofDays(40));
		for (String job : List.of("a", "b")) {
			this.one.ended(new RedlockJobEvent(job, "Jobs.job", old, old.plus(HOUR), Outcome.SUCCEEDED, 1,
					Duration.ZERO, null));
		}
		written(this.one);
		List<String> missed = new CopyOnWriteArrayList<>();
		this.two.ifMissed("a", NOON, () -> missed.add("a"));
		this.two.ifMissed("b", NOON, () -> missed.add("b"));
		written(this.two);
		assertThat(missed).containsExactly("a", "b");
	}

	@Test
	void aDatabaseThatIsDownIsToldOnceAndCountedAndTheEndOfARunRepairsItsStart(CapturedOutput output) {
		this.database.breakDown();
		this.one.started(start(NOON, 7));
		this.one.ended(end(NOON.minus(HOUR), 6, Outcome.FAILED));
		Awaitility.await().until(this.one::failures, (count) -> count == 2);
		this.database.mend();
		this.one.ended(end(NOON, 7, Outcome.SUCCEEDED));
		written(this.one);
		assertThat(ticks()).extracting(JobReport.Run::fence, JobReport.Run::outcome)
			.containsExactly(tuple(7L, "SUCCEEDED"));
		assertThat(output.toString().split("cannot be written", -1)).hasSize(2);
		Awaitility.await()
			.until(output::toString, (log) -> log.contains("can be written again. 2 rows of the history"));
	}

	@Test
	void whileADatabaseHangsTheTimerOfAllFeaturesGoesOn() {
		this.database.hang();
		this.one.started(start(NOON, 7));
		AtomicBoolean termEnded = new AtomicBoolean();
		this.time.schedule(HEARTBEAT.multipliedBy(2), () -> termEnded.set(true));
		this.time.advance(HEARTBEAT.multipliedBy(2));
		assertThat(termEnded).isTrue();
		assertThat(this.one.isIdle()).isFalse();
	}

	@Test
	void aHistoryThatWasClosedSchedulesNoMoreUpdates() {
		this.one.close();
		this.two.close();
		this.time.advance(HEARTBEAT);
		assertThat(this.time.pending()).isZero();
	}

	@Test
	@Timeout(5)
	void whileADatabaseHangsJobsGoOnAndAShutdownEnds() {
		this.database.hang();
		for (int i = 0; i < 2_000; i++) {
			this.one.started(start(NOON, i));
		}
		assertThat(this.one.failures()).as("beyond the queue").isBetween(990L, 1_000L);
		this.one.close();
		assertThat(this.one.failures()).isGreaterThanOrEqualTo(1_999);
	}

	@Test
	void twoLongNamesThatBeginAlikeAreTwoJobs() {
		for (String job : List.of("x".repeat(300) + "a", "x".repeat(300) + "b")) {
			this.one.started(new RedlockJobStartEvent(job, "Jobs.job", NOON, NOON.plus(HOUR), 1));
		}
		written(this.one);
		assertThat(this.one.jobs()).hasSize(2).allMatch((job) -> job.job().length() <= 255);
	}

	private List<JobReport.Run> ticks() {
		return this.one.jobs().stream().filter((job) -> job.job().equals("job")).findFirst().orElseThrow().ticks();
	}

	private void passes(int seconds) {
		this.now = this.now.plusSeconds(seconds);
	}

	private static void written(JobHistory history) {
		Awaitility.await().until(history::isIdle);
	}

	private static RedlockJobStartEvent start(Instant due, long fence) {
		return new RedlockJobStartEvent("job", "Jobs.job", due, due.plus(HOUR), fence);
	}

	private static RedlockJobEvent end(Instant due, long fence, Outcome outcome) {
		boolean ran = outcome == Outcome.SUCCEEDED || outcome == Outcome.FAILED;
		return new RedlockJobEvent("job", "Jobs.job", due, due.plus(HOUR), outcome, fence,
				ran ? Duration.ofSeconds(2) : Duration.ZERO, null);
	}

	private JobHistory history(String instance) {
		InstantSource clock = () -> this.now;
		ThreadPoolExecutor writer = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(1_000));
		return new JobHistory(this.database, () -> instance, Duration.ofDays(30), clock.withZone(ZoneOffset.UTC),
				writer, this.time);
	}

	@SuppressWarnings("serial")
	private static final class Untold extends RuntimeException {

		@Override
		public String getMessage() {
			throw new IllegalStateException("The message needs a connection that is closed");
		}

	}

	/**
	 * A database that can break down and hang, whose connections do not commit by
	 * themselves.
	 */
	private static final class Switch extends AbstractDataSource {

		private final JdbcDataSource target = new JdbcDataSource();

		private volatile boolean down;

		private volatile CountDownLatch hanging = new CountDownLatch(0);

		private Switch() {
			this.target.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
			new ResourceDatabasePopulator(new ClassPathResource("schema-h2.sql", JobHistory.class))
				.execute(this.target);
		}

		private void breakDown() {
			this.down = true;
		}

		private void hang() {
			this.hanging = new CountDownLatch(1);
		}

		private void mend() {
			this.down = false;
			this.hanging.countDown();
		}

		@Override
		public Connection getConnection() throws SQLException {
			try {
				this.hanging.await();
			}
			catch (InterruptedException ex) {
				throw new SQLException(ex);
			}
			if (this.down) {
				throw new SQLException("The database is down");
			}
			Connection connection = this.target.getConnection();
			connection.setAutoCommit(false);
			return connection;
		}

		@Override
		public Connection getConnection(String username, String password) throws SQLException {
			return getConnection();
		}

	}

}

package dev.redlock.spring.job.history;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledFuture;

import javax.sql.DataSource;

import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spi.NodeStatus;
import dev.redlock.spring.autoconfigure.RedlockAnnotationAutoConfiguration;
import dev.redlock.spring.autoconfigure.RedlockNodeEvent;
import dev.redlock.spring.job.JobClock;
import dev.redlock.spring.job.RedLockJob;
import dev.redlock.spring.job.RedlockJobAutoConfiguration;
import dev.redlock.spring.job.RedlockJobEvent;
import dev.redlock.spring.job.RedlockJobEvent.Outcome;
import dev.redlock.spring.template.RedLockTemplate;
import org.awaitility.Awaitility;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;
import org.springframework.scheduling.config.ScheduledTaskHolder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two instances that start half an hour after an hourly tick.
 */
@ExtendWith(OutputCaptureExtension.class)
class MissedTicksTests {

	private final LockWorld world = new LockWorld();

	private Clock clock = this.world.clock();

	private final JdbcDataSource database = new JdbcDataSource();

	private final List<String> runs = new CopyOnWriteArrayList<>();

	private AnnotationConfigApplicationContext one;

	private AnnotationConfigApplicationContext two;

	private Instant tick;

	@BeforeEach
	void start() {
		this.database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
		this.one = instance("one", this.world.redlock, Jobs.class);
		this.two = instance("two", this.world.other, Jobs.class);
		long hour = Duration.ofHours(1).toMillis();
		this.world.time.advance(Duration.ofMillis(hour - now().toEpochMilli() % hour));
		this.tick = now();
		this.world.time.advance(Duration.ofMinutes(30));
	}

	@AfterEach
	void stop() {
		this.one.close();
		this.two.close();
	}

	@Test
	void theLatestMissedTickIsRunOnceByOneInstance() {
		recorded(this.tick.minus(Duration.ofHours(5)), Outcome.SUCCEEDED);
		ready(this.one);
		ready(this.two);
		assertThat(this.runs).containsExactly("one");
		JobHistory history = this.one.getBean(JobHistory.class);
		Awaitility.await()
			.until(() -> history.jobs().get(0).ticks(), (ticks) -> ticks.size() == 2
					&& ticks.get(0).due().equals(this.tick) && "SUCCEEDED".equals(ticks.get(0).outcome()));
	}

	@Test
	void aJobThatHasNeverRunIsNotRunAtStart() {
		ready(this.one);
		assertThat(this.runs).isEmpty();
	}

	@Test
	void aTickThatEndedOrOverlappedIsNotMissed() {
		for (Outcome outcome : List.of(Outcome.SUCCEEDED, Outcome.FAILED, Outcome.OVERLAPPED)) {
			recorded(this.tick.minus(Duration.ofHours(1)), Outcome.SUCCEEDED);
			recorded(this.tick, outcome);
			ready(this.one);
			assertThat(this.runs).isEmpty();
			new JdbcTemplate(this.database).update("DELETE FROM redlock_job");
		}
	}

	@Test
	void aTickThatRanWithoutARecordIsDecidedByTheNodes() {
		recorded(this.tick.minus(Duration.ofHours(1)), Outcome.SUCCEEDED);
		this.one.getBean(Jobs.class).hourly();
		JobHistory history = this.one.getBean(JobHistory.class);
		Awaitility.await().until(() -> !history.isMissed("hourly", this.tick));
		new JdbcTemplate(this.database)
			.update("DELETE FROM redlock_job WHERE due = (SELECT MAX(due) FROM redlock_job)");
		assertThat(history.isMissed("hourly", this.tick)).isTrue();
		ready(this.two);
		assertThat(this.runs).containsExactly("one");
	}

	@Test
	void anInstanceThatSchedulesNothingDoesNotCatchUp() {
		recorded(this.tick.minus(Duration.ofHours(1)), Outcome.SUCCEEDED);
		this.one.removeBeanDefinition("tasks");
		ready(this.one);
		assertThat(this.runs).isEmpty();
	}

	@Test
	void aTickThatWasMissedForWantOfAQuorumIsRunWhenItIsBack() {
		recorded(this.tick.minus(Duration.ofHours(1)), Outcome.SUCCEEDED);
		recorded(this.tick, Outcome.UNDECIDED);
		this.world.nodes.subList(0, 2).forEach(InMemoryNode::down);
		ready(this.one);
		assertThat(this.runs).isEmpty();
		this.world.nodes.forEach(InMemoryNode::up);
		this.one.publishEvent(new RedlockNodeEvent("a", NodeStatus.READY, NodeStatus.READY));
		this.one.publishEvent(new RedlockNodeEvent("b", NodeStatus.READY, NodeStatus.READY));
		asked(this.one);
		assertThat(this.runs).containsExactly("one");
	}

	@Test
	void aDatabaseThatIsDownAtTheStartOnlyMeansThatNothingIsCaughtUpWith(CapturedOutput output) {
		recorded(this.tick.minus(Duration.ofHours(1)), Outcome.SUCCEEDED);
		new JdbcTemplate(this.database).execute("DROP TABLE redlock_job");
		publishReady(this.one);
		Awaitility.await().until(output::toString, (log) -> log.contains("The history of jobs cannot be written"));
		assertThat(this.runs).isEmpty();
		this.one.getBean(Jobs.class).hourly();
		assertThat(this.runs).containsExactly("one");
	}

	private void recorded(Instant due, Outcome outcome) {
		recorded("hourly", due, outcome);
	}

	private void recorded(String job, Instant due, Outcome outcome) {
		this.two.publishEvent(new RedlockJobEvent(job, "Jobs.job", due, due.plus(Duration.ofHours(1)), outcome, 1,
				Duration.ZERO, null));
		JobHistory history = this.two.getBean(JobHistory.class);
		Awaitility.await()
			.until(() -> history.jobs()
				.stream()
				.anyMatch((report) -> report.job().equals(job) && report.ticks().get(0).due().equals(due)));
	}

	private Instant now() {
		return this.world.clock().instant();
	}

	private void ready(AnnotationConfigApplicationContext context) {
		publishReady(context);
		asked(context);
	}

	/**
	 * Waits until the instance has written a row, which it does after it has asked what
	 * was missed.
	 */
	private void asked(AnnotationConfigApplicationContext context) {
		String last = "later than hourly " + UUID.randomUUID();
		context.publishEvent(new RedlockJobEvent(last, "Jobs.last", this.tick, this.tick.plusSeconds(1),
				Outcome.SUCCEEDED, 1, Duration.ZERO, null));
		JobHistory history = context.getBean(JobHistory.class);
		Awaitility.await().until(() -> history.jobs().stream().anyMatch((job) -> job.job().equals(last)));
	}

	private static void publishReady(AnnotationConfigApplicationContext context) {
		context.publishEvent(new ApplicationReadyEvent(new SpringApplication(), new String[0], context, Duration.ZERO));
	}

	private AnnotationConfigApplicationContext instance(String name, Redlock redlock, Class<?>... jobs) {
		AnnotationConfigApplicationContext context = parent(name, redlock);
		jobs(context, name, jobs);
		context.refresh();
		return context;
	}

	private AnnotationConfigApplicationContext parent(String name, Redlock redlock) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		// The time of the test is long ago.
		TestPropertyValues.of("redlock.jobs.history.enabled=true", "redlock.jobs.history.retention=30000d")
			.applyTo(context);
		context.registerBean(Redlock.class, () -> redlock, (definition) -> definition.setDestroyMethodName(""));
		context.registerBean(RedLockTemplate.class, () -> new RedLockTemplate(redlock, Runnable::run));
		context.registerBean(DataSource.class, () -> this.database);
		context.register(RedlockJobHistoryAutoConfiguration.class);
		return context;
	}

	private void jobs(AnnotationConfigApplicationContext context, String name, Class<?>... jobs) {
		JobClock.register(context, this.clock);
		context.registerBean(TaskScheduler.class, AtOnce::new);
		context.registerBean("tasks", ScheduledTaskHolder.class, () -> Set::of);
		context.registerBean("work", Runnable.class, () -> () -> this.runs.add(name));
		context.register(jobs);
		context.register(RedlockAnnotationAutoConfiguration.class, RedlockJobHistoryAutoConfiguration.class,
				RedlockJobAutoConfiguration.class);
	}

	static class Jobs {

		private final Runnable work;

		Jobs(Runnable work) {
			this.work = work;
		}

		@Scheduled(cron = "0 0 * * * *", zone = "UTC")
		@RedLockJob(value = "hourly", missed = RedLockJob.Missed.LATEST)
		public void hourly() {
			this.work.run();
		}

	}

	/**
	 * Runs each task at once, on the thread of the test.
	 */
	@SuppressWarnings("serial") // Serializable only by inheritance.
	private static final class AtOnce extends SimpleAsyncTaskScheduler {

		@Override
		public ScheduledFuture<?> schedule(Runnable task, Instant startTime) {
			task.run();
			return null;
		}

	}

}

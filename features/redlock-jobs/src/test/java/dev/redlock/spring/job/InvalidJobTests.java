package dev.redlock.spring.job;

import java.util.Set;

import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.spring.autoconfigure.RedlockAnnotationAutoConfiguration;
import dev.redlock.spring.autoconfigure.RedlockAutoConfiguration;
import dev.redlock.spring.interceptor.InvalidRedLockException;
import dev.redlock.spring.template.RedLockTemplate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.config.ScheduledTaskHolder;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

class InvalidJobTests {

	private final LockWorld world = new LockWorld();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RedlockAnnotationAutoConfiguration.class, RedlockJobAutoConfiguration.class))
		.withBean(Redlock.class, () -> this.world.redlock, (definition) -> definition.setDestroyMethodName(""))
		.withBean(RedLockTemplate.class, () -> new RedLockTemplate(this.world.redlock, Runnable::run))
		.withBean("tasks", ScheduledTaskHolder.class, () -> Set::of);

	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|',
			textBlock = """
					JobWithoutSchedule   | schedule         | has no @Scheduled              | LockRequest.withTick
					JobOfTwoSchedules    | schedule         | has several @Scheduled         | LockRequest.withTick
					JobWithFixedDelay    | schedule         | when each run of this process | fixedRate
					JobThatRunsOnce      | schedule         | with initialDelay alone        | fixedRate
					JobWithoutZone       | schedule         | no zone                        | zone = "UTC"
					JobInUnknownZone     | schedule         | is no time zone                | Europe/Berlin
					JobOfNoDate          | schedule         | "0 0 2 30 2 *" matches         | Correct the cron expression
					JobThatReturnsFuture | return type      | return type is java.util.concurrent   | Make the method void
					JobThatReturnsInt    | return type      | a skipped call returns null, and the return type is int | Make the method void
					LatestOfARate        | missed           | each start of a process runs | cron with a zone
					LatestWithoutHistory | missed           | there is no history of jobs    | DataSource
					TwoJobsOfOneName     | resource         | is also the name of the job    | a name of its own
					RetriedJob           | place            | @Retryable                     | a method of another bean
					JobWithSpringRetry   | place            | @Retryable                     | a method of another bean
					""")
	void mistakeKeepsTheApplicationFromStarting(String bean, String attribute, String problem, String action)
			throws ClassNotFoundException {
		Class<?> type = ClassUtils.forName(JobMistakes.class.getName() + "$" + bean, getClass().getClassLoader());
		this.runner.withBean(type).run((context) -> {
			assertThat(context).hasFailed();
			InvalidRedLockException failure = invalid(context.getStartupFailure());
			assertThat(failure.description()).contains(attribute, problem);
			assertThat(failure.action()).contains(action);
		});
	}

	@Test
	void aJobThatNoSchedulerCallsKeepsTheApplicationFromStarting() {
		ApplicationContextRunner job = this.runner.withBean("crons", Crons.class)
			.withBean(JobOfAnExpression.class)
			.withInitializer((context) -> ((BeanDefinitionRegistry) context).removeBeanDefinition("tasks"));
		job.run((context) -> {
			assertThat(context).hasFailed();
			InvalidRedLockException failure = invalid(context.getStartupFailure());
			assertThat(failure.description()).contains("the application has no @EnableScheduling");
			assertThat(failure.action()).contains("Add @EnableScheduling to a configuration class");
		});
		job.withPropertyValues("redlock.jobs.require-scheduling=false")
			.run((context) -> assertThat(context).hasNotFailed());
		job.withUserConfiguration(Scheduling.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void clocksMayDifferByHalfTheTimeBetweenTwoTicks() {
		ApplicationContextRunner job = this.runner.withBean(JobMistakes.JobWithVeryDifferentClocks.class);
		job.withPropertyValues("redlock.jobs.clock-difference=500ms")
			.run((context) -> assertThat(context).hasNotFailed());
		job.withPropertyValues("redlock.jobs.clock-difference=501ms").run((context) -> {
			InvalidRedLockException failure = invalid(context.getStartupFailure());
			assertThat(failure.description()).contains("PT0.501S", "PT1S apart");
			assertThat(failure.action()).contains("redlock.jobs.clock-difference");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "redlock.jobs.clock-diference", "redlock.jobs.require-schedulling",
			"redlock.jobs.history.enabled" })
	void aPropertyThatNoModuleReadsKeepsTheApplicationFromStarting(String property) {
		this.runner.withConfiguration(AutoConfigurations.of(RedlockAutoConfiguration.class))
			.withPropertyValues("redlock.instances.a.host=127.0.0.1", property + "=true")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("'" + property + "' is not usable: there is no property of this name"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "redlock.jobs.clock-difference", "redlock.jobs.clockDifference" })
	void aPropertyOfJobsIsKnown(String property) {
		// With a ttl of zero, startup fails before a server is needed.
		this.runner.withConfiguration(AutoConfigurations.of(RedlockAutoConfiguration.class))
			.withPropertyValues("redlock.ttl=0s", property + "=1ms")
			.run((context) -> assertThat(context).getFailure().hasStackTraceContaining("ttl must be more than zero"));
	}

	@Test
	void oneJobOfTwoBeansIsRefusedBecauseOnlyOneOfThemWouldRun() {
		ApplicationContextRunner one = this.runner.withBean("one", Job.class);
		assertTaken(one.withBean("two", Job.class));
		assertTaken(one.withBean("two", Inheriting.class));
	}

	@Test
	void aScheduleMayBeAnExpression() {
		this.runner.withBean("crons", Crons.class)
			.withBean(JobOfAnExpression.class)
			.run((context) -> assertThat(context).hasNotFailed());
		this.runner.withBean(JobOfAnExpression.class).run((context) -> {
			InvalidRedLockException failure = invalid(context.getStartupFailure());
			assertThat(failure.description()).contains("#{@crons.nightly()}", "No bean named 'crons'");
			assertThat(failure.action()).contains("correct the expression");
		});
	}

	@Test
	void analysisNamesTheAnnotationThatWasWritten() {
		this.runner.withBean(JobMistakes.JobWithoutZone.class)
			.run((context) -> assertThat(invalid(context.getStartupFailure()).description())
				.isEqualTo("The @RedLockJob on " + JobMistakes.JobWithoutZone.class.getName()
						+ ".run() is wrong in its schedule: the cron expression has no zone, so the due times depend "
						+ "on the zone of each host."));
	}

	private static void assertTaken(ApplicationContextRunner runner) {
		runner.run((context) -> {
			assertThat(context).hasFailed();
			InvalidRedLockException failure = invalid(context.getStartupFailure());
			assertThat(failure.description()).contains("'job' is also the name of the job", "of the bean 'one'");
			assertThat(failure.action()).contains("#{#root.target.source()}");
		});
	}

	private static InvalidRedLockException invalid(Throwable failure) {
		Throwable cause = failure;
		while (cause != null && !(cause instanceof InvalidRedLockException)) {
			cause = cause.getCause();
		}
		assertThat(cause).as("an InvalidRedLockException in %s", failure).isNotNull();
		return (InvalidRedLockException) cause;
	}

	static class Crons {

		public String nightly() {
			return "0 0 2 * * *";
		}

	}

	@EnableScheduling
	static class Scheduling {

	}

	static class JobOfAnExpression {

		@Scheduled(cron = "#{@crons.nightly()}", zone = "UTC")
		@RedLockJob("job")
		public void run() {
		}

	}

	static class Job {

		@Scheduled(fixedRate = 1000)
		@RedLockJob("job")
		public void run() {
		}

	}

	static class Inheriting extends Job {

	}

}

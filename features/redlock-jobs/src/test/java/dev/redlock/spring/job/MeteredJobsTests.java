package dev.redlock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.spring.autoconfigure.RedlockAnnotationAutoConfiguration;
import dev.redlock.spring.template.RedLockTemplate;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.config.ScheduledTaskHolder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The meters of jobs in one process. The test calls the jobs in place of Spring's
 * scheduler.
 */
class MeteredJobsTests {

	private static final String SUCCESS = "redlock.job.last.success";

	private static final String NEXT = "redlock.job.next";

	private final LockWorld world = new LockWorld();

	private final MockClock clock = new MockClock();

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, this.clock);

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

	@BeforeEach
	void start() {
		this.clock.add(Duration.ofHours(1));
		this.context.registerBean(Redlock.class, () -> this.world.redlock,
				(definition) -> definition.setDestroyMethodName(""));
		this.context.registerBean(RedLockTemplate.class, () -> new RedLockTemplate(this.world.redlock, Runnable::run));
		this.context.registerBean(JobExtension.class,
				() -> new JobExtension(this.context.getBeanFactory(), this.context::publishEvent, this.world.clock()));
		this.context.registerBean(MeterRegistry.class, () -> this.registry);
		this.context.registerBean("tasks", ScheduledTaskHolder.class, () -> Set::of);
		this.context.registerBean("hourly", Hourly.class);
		this.context.registerBean("bills", org.example.bills.NightJobs.class);
		this.context.registerBean("reports", org.example.reports.NightJobs.class);
		this.context.registerBean("other", org.example.reports.NightJobs.class);
		this.context.register(RedlockAnnotationAutoConfiguration.class, RedlockJobAutoConfiguration.class);
		this.context.refresh();
	}

	@AfterEach
	void stop() {
		this.context.close();
	}

	@Test
	void theFirstFailureIsCountedInASeriesThatExistedBefore() {
		assertThat(ticks("failed")).isZero();
		this.context.getBean(Hourly.class).fail();
		assertThatIllegalStateException().isThrownBy(() -> this.context.getBean(Hourly.class).run());
		assertThat(ticks("failed")).isOne();
		assertThat(ticks("succeeded")).isZero();
	}

	@Test
	void ticksAreTimedByTheirOutcomeAndNameNoResource() {
		this.context.getBean(Hourly.class).run();
		this.context.getBean(Hourly.class).run();
		assertThat(ticks("succeeded")).isOne();
		assertThat(ticks("taken")).isOne();
		assertThat(this.registry.getMeters().toString()).doesNotContain("night-run");
	}

	@Test
	void theLastSuccessBeginsWithTheStartAndAFailureDoesNotChangeIt() {
		double start = value(SUCCESS, "hourly");
		assertThat(start).isEqualTo(this.clock.wallTime() / 1000.0);
		this.clock.add(Duration.ofHours(1));
		this.context.getBean(Hourly.class).run();
		assertThat(value(SUCCESS, "hourly")).isEqualTo(start + 3600);
		this.clock.add(Duration.ofHours(1));
		this.world.time.advance(Duration.ofHours(1));
		this.context.getBean(Hourly.class).fail();
		assertThatIllegalStateException().isThrownBy(() -> this.context.getBean(Hourly.class).run());
		assertThat(value(SUCCESS, "hourly")).isEqualTo(start + 3600);
	}

	@Test
	void aJobThatNeverSucceedsIsLateAfterItsFirstTick() {
		Instant next = Instant.ofEpochSecond((long) value(NEXT, "bills"));
		assertThat(next).isAfter(this.world.clock().instant())
			.isBefore(this.world.clock().instant().plus(Duration.ofDays(7)));
		assertThat(next).hasToString("2024-10-06T02:00:00Z");
		this.world.time.advance(Duration.ofDays(8));
		assertThat(Instant.ofEpochSecond((long) value(NEXT, "bills"))).isEqualTo(next);
		this.context.getBean(org.example.bills.NightJobs.class).run();
		assertThat(Instant.ofEpochSecond((long) value(NEXT, "bills"))).isEqualTo(next.plus(Duration.ofDays(7)));
	}

	@Test
	void noJobHidesAJobOfAnotherPackageOrAnotherBean() {
		double start = value(SUCCESS, "reports");
		this.clock.add(Duration.ofHours(1));
		this.context.getBean("reports", org.example.reports.NightJobs.class).run();
		assertThat(value(SUCCESS, "reports")).isEqualTo(start + 3600);
		assertThat(value(SUCCESS, "other")).isEqualTo(start);
		assertThat(value(SUCCESS, "bills")).isEqualTo(start);
		assertThat(this.registry.find(SUCCESS).tag("method", "NightJobs.run").timeGauges())
			.extracting((gauge) -> gauge.getId().getTag("package"))
			.containsExactlyInAnyOrder("org.example.bills", "org.example.reports", "org.example.reports");
	}

	@Test
	void aContextThatIsClosedTakesItsValuesAlong() {
		this.context.close();
		assertThat(this.registry.getMeters()).extracting((meter) -> meter.getId().getName())
			.containsOnly("redlock.job");
	}

	@Test
	void theMetersAreThereWithLazyInitialization() {
		AnnotationConfigApplicationContext lazy = new AnnotationConfigApplicationContext();
		lazy.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor());
		assertMetersOfAJobIn(lazy);
	}

	@Test
	void aJobOfAChildContextHasItsMeters() {
		AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext();
		child.setParent(this.context);
		assertMetersOfAJobIn(child);
		assertThat(ticks("succeeded")).isZero();
	}

	private void assertMetersOfAJobIn(AnnotationConfigApplicationContext other) {
		try (other) {
			if (other.getParent() == null) {
				other.registerBean(Redlock.class, () -> this.world.redlock,
						(definition) -> definition.setDestroyMethodName(""));
				other.registerBean(RedLockTemplate.class, () -> new RedLockTemplate(this.world.redlock, Runnable::run));
				other.registerBean(MeterRegistry.class, () -> this.registry);
			}
			other.registerBean(JobExtension.class,
					() -> new JobExtension(other.getBeanFactory(), other::publishEvent, this.world.clock()));
			other.registerBean("tasks", ScheduledTaskHolder.class, () -> Set::of);
			// Spring Boot creates beans with @Scheduled eagerly.
			other.registerBean("mine", Hourly.class, (definition) -> definition.setLazyInit(false));
			other.register(RedlockAnnotationAutoConfiguration.class, RedlockJobAutoConfiguration.class);
			other.refresh();
			assertThat(value(NEXT, "mine")).isPositive();
			other.getBean("mine", Hourly.class).run();
			assertThat(this.registry.get("redlock.job").tag("bean", "mine").tag("outcome", "succeeded").timer().count())
				.isOne();
		}
	}

	private long ticks(String outcome) {
		return this.registry.get("redlock.job").tag("bean", "hourly").tag("outcome", outcome).timer().count();
	}

	private double value(String gauge, String bean) {
		return this.registry.get(gauge).tag("bean", bean).timeGauge().value(TimeUnit.SECONDS);
	}

	static class Hourly {

		private boolean fails;

		public void fail() {
			this.fails = true;
		}

		@Scheduled(cron = "0 0 * * * *", zone = "UTC")
		@RedLockJob("night-run")
		public void run() {
			if (this.fails) {
				throw new IllegalStateException("of the job");
			}
		}

	}

}

package dev.redlock.spring.job.history;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import com.zaxxer.hikari.HikariDataSource;
import dev.redlock.it.jpa.Database;
import dev.redlock.spring.job.RedLockJob;
import dev.redlock.spring.job.RedlockJobEvent;
import dev.redlock.spring.job.RedlockJobEvent.Outcome;
import dev.redlock.spring.job.RedlockJobStartEvent;
import dev.redlock.test.RedisNodes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Two instances of an application with a job for each second, and their history in one
 * database.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class JobHistoryContract {

	private static final Duration BOUND = Duration.ofMinutes(2);

	private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");

	private final RedisNodes nodes = RedisNodes.start(3);

	private Database database;

	private ConfigurableApplicationContext one;

	private ConfigurableApplicationContext two;

	@BeforeAll
	void start() throws Exception {
		this.database = database();
		this.one = instance("one");
		this.two = instance("two");
	}

	@AfterAll
	void stop() throws Exception {
		this.one.close();
		this.two.close();
		this.nodes.close();
		this.database.close();
	}

	@Test
	void eachTickOfTwoInstancesIsOneRowThatNamesTheInstanceThatRanIt() {
		Awaitility.await().atMost(BOUND).until(() -> succeeded("every-second"), (runs) -> runs.size() > 5);
		// Another test has a third instance for a moment.
		List<JobReport.Run> ticks = succeeded("every-second").stream()
			.filter((tick) -> !tick.instance().equals("three"))
			.toList();
		Map<Instant, String> ran = new TreeMap<>(heard(this.one, "one"));
		ran.putAll(heard(this.two, "two"));
		assertThat(ticks).extracting(JobReport.Run::due).doesNotHaveDuplicates();
		assertThat(ticks).allSatisfy((tick) -> {
			assertThat(tick.instance() + " " + tick.fence()).isEqualTo(ran.get(tick.due()));
			assertThat(tick.started()).isBetween(tick.due().minusSeconds(1), tick.due().plusSeconds(60));
			assertThat(tick.duration()).isBetween(Duration.ZERO, Duration.ofMinutes(1));
			assertThat(tick.error()).isNull();
		});
		assertThat(report("every-second").lastSuccess()).isAfter(ticks.get(0).due());
	}

	@Test
	void aRerunKeepsTheRecordOfTheRunThatCrashedAndTakesItsLateEnd() {
		this.one.publishEvent(start("successor", 7));
		await("successor", (run) -> run.instance().equals("one") && run.outcome() == null);
		this.two.publishEvent(start("successor", 9));
		await("successor", (run) -> run.instance().equals("two") && run.outcome() == null);
		assertThat(report("successor").ticks()).extracting(JobReport.Run::instance, JobReport.Run::outcome)
			.containsExactly(tuple("two", null), tuple("one", "CRASHED"));
		this.two.publishEvent(end("successor", NOON, Outcome.SUCCEEDED, 9));
		await("successor", (run) -> "SUCCEEDED".equals(run.outcome()));
		this.one.publishEvent(end("successor", NOON, Outcome.FAILED, 7));
		this.one.publishEvent(end("written after that", NOON, Outcome.FAILED, 7));
		await("written after that", (run) -> true);
		assertThat(report("successor").ticks()).extracting(JobReport.Run::instance, JobReport.Run::outcome)
			.containsExactly(tuple("two", "SUCCEEDED"), tuple("one", "FAILED"));
	}

	@Test
	void theTwoTicksOfTheHourThatIsRepeatedAreTwoRowsWhateverTheZoneOfTheHost() {
		// Otherwise the ticks of that night are too old to stay.
		bothHaveCleaned();
		TimeZone zone = TimeZone.getDefault();
		TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
		try {
			Instant summer = Instant.parse("2026-10-25T00:30:00Z");
			Instant winter = Instant.parse("2026-10-25T01:30:00Z");
			this.one.publishEvent(end("night", summer, Outcome.SUCCEEDED, 1));
			this.one.publishEvent(end("night", winter, Outcome.SUCCEEDED, 2));
			Awaitility.await()
				.atMost(BOUND)
				.until(() -> report("night"), (job) -> job != null && job.ticks().size() == 2);
			assertThat(report("night").ticks()).extracting(JobReport.Run::due).containsExactly(winter, summer);
		}
		finally {
			TimeZone.setDefault(zone);
		}
	}

	@Test
	void namesThatDifferInCaseOnlyAreTwoJobs() {
		this.one.publishEvent(end("Case", NOON, Outcome.SUCCEEDED, 1));
		this.one.publishEvent(end("case", NOON, Outcome.FAILED, 2));
		await("case", (run) -> run.outcome().equals("FAILED"));
		await("Case", (run) -> run.outcome().equals("SUCCEEDED"));
	}

	@Test
	void ticksOlderThanTheRetentionAreDeletedExceptForTheLastOneOfEachJob() {
		bothHaveCleaned();
		Instant old = Instant.now().minus(Duration.ofDays(40));
		this.one.publishEvent(end("old", old, Outcome.SUCCEEDED, 1));
		this.one.publishEvent(end("old", old.plusSeconds(60), Outcome.FAILED, 2));
		await("old", (run) -> "FAILED".equals(run.outcome()));
		assertThat(report("old").ticks()).hasSize(2);
		try (ConfigurableApplicationContext third = instance("three")) {
			third.publishEvent(end("new", Instant.now(), Outcome.SUCCEEDED, 2));
			Awaitility.await().atMost(BOUND).until(() -> report("old").ticks().size() == 1);
		}
		await("old", (run) -> "FAILED".equals(run.outcome()));
	}

	/**
	 * An instance cleans after its first record, before its second one, and then once an
	 * hour.
	 */
	private void bothHaveCleaned() {
		cleaned("by one", this.one);
		cleaned("by two", this.two);
	}

	private void cleaned(String job, ConfigurableApplicationContext instance) {
		instance.publishEvent(end("first " + job, Instant.now(), Outcome.SUCCEEDED, 1));
		instance.publishEvent(end("second " + job, Instant.now(), Outcome.SUCCEEDED, 1));
		await("second " + job, (run) -> true);
	}

	abstract Database database() throws Exception;

	private ConfigurableApplicationContext instance(String name) {
		List<String> arguments = new ArrayList<>();
		this.nodes.asList()
			.forEach((node) -> arguments
				.add("--redlock.instances." + node.name() + ".url=redis://" + node.host() + ":" + node.port()));
		arguments.add("--redlock.restart-guard.enabled=false");
		arguments.add("--redlock.owner=" + name);
		arguments.add("--redlock.jobs.history.enabled=true");
		arguments.add("--redlock.jobs.history.initialize-schema=always");
		arguments.add("--jobs.database=" + this.database.url());
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.run(arguments.toArray(String[]::new));
	}

	private JobReport report(String job) {
		return this.one.getBean(JobHistory.class)
			.jobs()
			.stream()
			.filter((report) -> report.job().equals(job))
			.findFirst()
			.orElse(null);
	}

	private List<JobReport.Run> succeeded(String job) {
		JobReport report = report(job);
		return (report == null) ? List.of()
				: report.ticks().stream().filter((run) -> "SUCCEEDED".equals(run.outcome())).toList();
	}

	private void await(String job, Predicate<JobReport.Run> expected) {
		Awaitility.await()
			.atMost(BOUND)
			.until(() -> report(job), (report) -> report != null && expected.test(report.ticks().get(0)));
	}

	private static Map<Instant, String> heard(ConfigurableApplicationContext context, String name) {
		return context.getBean(Heard.class).starts.stream()
			.filter((start) -> start.job().equals("every-second"))
			.collect(Collectors.toMap(RedlockJobStartEvent::due, (start) -> name + " " + start.fence()));
	}

	private static RedlockJobStartEvent start(String job, long fence) {
		return new RedlockJobStartEvent(job, "Jobs.job", NOON, NOON.plusSeconds(60), fence);
	}

	private static RedlockJobEvent end(String job, Instant due, Outcome outcome, long fence) {
		return new RedlockJobEvent(job, "Jobs.job", due, due.plusSeconds(60), outcome, fence, Duration.ofMillis(5),
				null);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableScheduling
	static class Application {

		@Bean
		HikariDataSource dataSource(@Value("${jobs.database}") String url) {
			HikariDataSource pool = new HikariDataSource();
			pool.setJdbcUrl(url);
			pool.setMaximumPoolSize(3);
			return pool;
		}

		@Bean
		Jobs jobs() {
			return new Jobs();
		}

		@Bean
		Heard heard() {
			return new Heard();
		}

	}

	static class Jobs {

		@Scheduled(cron = "* * * * * *", zone = "UTC")
		@RedLockJob("every-second")
		public void everySecond() {
		}

	}

	static class Heard {

		private final Queue<RedlockJobStartEvent> starts = new ConcurrentLinkedQueue<>();

		@EventListener
		void heard(RedlockJobStartEvent event) {
			this.starts.add(event);
		}

	}

}

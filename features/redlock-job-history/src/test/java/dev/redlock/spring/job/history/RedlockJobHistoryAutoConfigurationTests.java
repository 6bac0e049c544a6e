package dev.redlock.spring.job.history;

import java.time.Instant;
import java.util.UUID;

import javax.sql.DataSource;

import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.spring.job.RedlockJobStartEvent;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

import static org.assertj.core.api.Assertions.assertThat;

class RedlockJobHistoryAutoConfigurationTests {

	private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");

	private final LockWorld world = new LockWorld();

	private final ApplicationContextRunner off = new ApplicationContextRunner()
		.withBean(Redlock.class, () -> this.world.redlock, (definition) -> definition.setDestroyMethodName(""))
		.withConfiguration(
				AutoConfigurations.of(RedlockJobHistoryAutoConfiguration.class, DataSourceAutoConfiguration.class))
		.withPropertyValues("spring.datasource.generate-unique-name=true");

	private final ApplicationContextRunner runner = this.off.withPropertyValues("redlock.jobs.history.enabled=true");

	@Test
	void itIsOffUnlessItIsAskedFor() {
		this.off.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(JobHistory.class));
		this.off.withPropertyValues("redlock.jobs.history.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(JobHistory.class));
	}

	@Test
	void theTableOfAnEmbeddedDatabaseIsCreatedAtTheStart() {
		this.runner.run((context) -> {
			JdbcTemplate jdbc = new JdbcTemplate(context.getBean(DataSource.class));
			assertThat(jdbc.queryForList("SELECT * FROM redlock_job")).isEmpty();
			context.publishEvent(new RedlockJobStartEvent("job", "Jobs.job", NOON, NOON.plusSeconds(60), 7));
			Awaitility.await().until(() -> context.getBean(JobHistory.class).jobs(), (jobs) -> jobs.size() == 1);
		});
	}

	@Test
	void aTableThatIsMissingEndsTheStart() {
		this.runner.withPropertyValues("redlock.jobs.history.initialize-schema=never")
			.run((context) -> assertUnusable(context, "Table \"REDLOCK_JOB\" not found"));
	}

	@Test
	void aTableThatCannotBeCreatedOrUsedEndsTheStart() {
		this.runner.withBean(DataSource.class, () -> withTable("VARCHAR(255) PRIMARY KEY"))
			.run((context) -> assertUnusable(context, "Column \"NEXT_DUE\" not found"));
		this.runner.withBean(DataSource.class, RedlockJobHistoryAutoConfigurationTests::readOnly)
			.withPropertyValues("redlock.jobs.history.initialize-schema=never")
			.run((context) -> assertUnusable(context, "Not enough rights"));
	}

	@Test
	void aTableThatTheMigrationsOfTheApplicationCreateIsThereInTime() {
		this.runner.withConfiguration(AutoConfigurations.of(DataSourceInitializationAutoConfiguration.class))
			.withPropertyValues("redlock.jobs.history.initialize-schema=never",
					"spring.sql.init.schema-locations=classpath:dev/redlock/spring/job/history/schema-h2.sql")
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(JobHistory.class));
	}

	@Test
	void withoutOneDatabaseTheStartEndsWithWhatIsMissing() {
		this.runner.withBean("one", DataSource.class, () -> withTable("INT"))
			.withBean("two", DataSource.class, () -> withTable("INT"))
			.run((context) -> assertAnalysis(context, "there are several DataSource beans, and none of them is primary",
					"Mark one DataSource bean with @Primary"));
		new ApplicationContextRunner()
			.withBean(Redlock.class, () -> this.world.redlock, (definition) -> definition.setDestroyMethodName(""))
			.withConfiguration(AutoConfigurations.of(RedlockJobHistoryAutoConfiguration.class))
			.withPropertyValues("redlock.jobs.history.enabled=true")
			.run((context) -> assertAnalysis(context, "there is no DataSource bean", "Define a DataSource bean"));
	}

	@Test
	void thePlatformOfTheScriptCanBeNamed() {
		this.runner.withPropertyValues("redlock.jobs.history.platform=postgresql")
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(JobHistory.class));
		this.runner.withPropertyValues("redlock.jobs.history.platform=paper")
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining("schema-paper.sql"));
	}

	private static void assertUnusable(AssertableApplicationContext context, String cause) {
		assertAnalysis(context, "its table redlock_job is missing or cannot be used: ",
				"dev/redlock/spring/job/history/schema-postgresql.sql");
		assertThat(context).getFailure().rootCause().hasMessageContaining(cause);
	}

	private static void assertAnalysis(AssertableApplicationContext context, String description, String action) {
		assertThat(context).hasFailed();
		FailureAnalysis analysis = new JobHistoryFailureAnalyzer().analyze(context.getStartupFailure());
		assertThat(analysis.getDescription())
			.startsWith("The history of jobs is on (redlock.jobs.history.enabled), and ")
			.contains(description);
		assertThat(analysis.getAction()).contains(action).contains("redlock.jobs.history.enabled to false");
	}

	private static DataSource withTable(String name) {
		DataSource database = new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
		new JdbcTemplate(database).execute("CREATE TABLE redlock_job (job_name " + name + ")");
		return database;
	}

	/**
	 * A database whose user may only read the table.
	 */
	private static DataSource readOnly() {
		String url = "jdbc:h2:mem:" + UUID.randomUUID();
		DataSource owner = new DriverManagerDataSource(url + ";DB_CLOSE_DELAY=-1", "sa", "");
		new ResourceDatabasePopulator(new ClassPathResource("schema-h2.sql", JobHistory.class)).execute(owner);
		JdbcTemplate jdbc = new JdbcTemplate(owner);
		jdbc.execute("CREATE USER reader PASSWORD 'reader'");
		jdbc.execute("GRANT SELECT ON redlock_job TO reader");
		return new DriverManagerDataSource(url, "reader", "reader");
	}

}

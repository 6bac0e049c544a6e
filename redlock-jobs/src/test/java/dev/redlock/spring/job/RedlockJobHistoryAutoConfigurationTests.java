package dev.redlock.spring.job;

import java.time.Duration;
import java.time.Instant;

import javax.sql.DataSource;

import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

class RedlockJobHistoryAutoConfigurationTests {

	private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");

	private final LockWorld world = new LockWorld();

	private final ApplicationContextRunner withoutDatabase = new ApplicationContextRunner()
		.withBean(Redlock.class, () -> this.world.redlock, (definition) -> definition.setDestroyMethodName(""))
		.withConfiguration(AutoConfigurations.of(RedlockJobHistoryAutoConfiguration.class));

	private final ApplicationContextRunner runner = this.withoutDatabase
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
		.withPropertyValues("spring.datasource.generate-unique-name=true");

	@Test
	void theTableOfAnEmbeddedDatabaseIsCreatedWithTheFirstTick() {
		this.runner.run((context) -> {
			JdbcTemplate jdbc = new JdbcTemplate(context.getBean(DataSource.class));
			assertThat(tables(jdbc)).isZero();
			context.publishEvent(new RedlockJobStartEvent("job", "Jobs.job", NOON, NOON.plusSeconds(60), 7));
			Awaitility.await().until(() -> context.getBean(JobHistory.class).jobs(), (jobs) -> jobs.size() == 1);
			assertThat(tables(jdbc)).isOne();
		});
	}

	@Test
	void theTableIsNotCreatedIfTheApplicationDoesThat() {
		this.runner.withPropertyValues("redlock.jobs.history.initialize-schema=never").run((context) -> {
			context.publishEvent(new RedlockJobStartEvent("job", "Jobs.job", NOON, NOON.plusSeconds(60), 7));
			Awaitility.await().until(() -> context.getBean(JobHistory.class).failures(), (count) -> count == 1);
			assertThat(tables(new JdbcTemplate(context.getBean(DataSource.class)))).isZero();
		});
	}

	@Test
	void aDatabaseThatIsDownDoesNotHinderTheStart() {
		this.withoutDatabase
			.withBean(DataSource.class, () -> new DriverManagerDataSource("jdbc:h2:tcp://localhost:1/mem:none"))
			.withPropertyValues("redlock.jobs.history.initialize-schema=always")
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(JobHistory.class));
	}

	@Test
	void thereIsNoneWithoutADatabase() {
		this.withoutDatabase.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(JobHistory.class));
	}

	@Test
	void itIsTurnedOffByItsProperty() {
		this.runner.withPropertyValues("redlock.jobs.history.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(JobHistory.class));
	}

	@Test
	void aRetentionOfNothingEndsTheStart() {
		this.runner.withPropertyValues("redlock.jobs.history.retention=" + Duration.ZERO)
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining("more than zero"));
	}

	@Test
	void thereIsNoneWithoutTheLibrariesForDatabases() {
		for (String library : new String[] { "org.springframework.jdbc", "org.springframework.boot.jdbc",
				"org.springframework.boot.sql" }) {
			new ApplicationContextRunner().withUserConfiguration(Imports.class)
				.withBean(Redlock.class, () -> this.world.redlock, (definition) -> definition.setDestroyMethodName(""))
				.withClassLoader(new FilteredClassLoader(library))
				.run((context) -> assertThat(context).hasNotFailed()
					.doesNotHaveBean(RedlockJobHistoryAutoConfiguration.class));
		}
	}

	private static int tables(JdbcTemplate jdbc) {
		return jdbc.queryForObject("SELECT COUNT(*) FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_NAME = 'REDLOCK_JOB'",
				Integer.class);
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(RedlockJobHistoryAutoConfiguration.class)
	static class Imports {

	}

}

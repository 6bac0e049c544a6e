package dev.redlock.spring.autoconfigure.job;

import java.time.Clock;

import javax.sql.DataSource;

import dev.redlock.Redlock;
import dev.redlock.spring.job.JobHistory;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.DatabaseDriver;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.jdbc.init.PlatformPlaceholderDatabaseDriverResolver;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Auto-configuration of the history of jobs, where there is a database.
 */
@AutoConfiguration(afterName = { "dev.redlock.spring.autoconfigure.RedlockAutoConfiguration",
		"org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration" })
@ConditionalOnClass({ Redlock.class, JdbcTemplate.class, DataSourceScriptDatabaseInitializer.class })
@ConditionalOnSingleCandidate(DataSource.class)
@ConditionalOnBooleanProperty(name = "redlock.jobs.history.enabled", matchIfMissing = true)
@EnableConfigurationProperties(RedlockJobHistoryProperties.class)
@ImportRuntimeHints(RedlockJobHistoryAutoConfiguration.Scripts.class)
public final class RedlockJobHistoryAutoConfiguration {

	private static final String SCHEMA = "dev/redlock/spring/job/schema-@@platform@@.sql";

	/**
	 * Creates the table before its first use and not at start, so that an application
	 * without jobs gets no table, and one whose database is down starts.
	 */
	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnSingleCandidate(Redlock.class)
	JobHistory redlockJobHistory(Redlock redlock, DataSource dataSource, RedlockJobHistoryProperties properties) {
		return new JobHistory(dataSource, () -> createTable(dataSource, properties.initializeSchema()),
				() -> redlock.settings().owner(), properties.retention(), Clock.systemUTC());
	}

	private static void createTable(DataSource dataSource, DatabaseInitializationMode mode) {
		boolean wanted = mode == DatabaseInitializationMode.ALWAYS
				|| (mode == DatabaseInitializationMode.EMBEDDED && EmbeddedDatabaseConnection.isEmbedded(dataSource));
		if (wanted) {
			DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
			settings.setMode(DatabaseInitializationMode.ALWAYS);
			settings.setSchemaLocations(
					new PlatformPlaceholderDatabaseDriverResolver().withDriverPlatform(DatabaseDriver.MARIADB, "mysql")
						.resolveAll(dataSource, "classpath:" + SCHEMA));
			new DataSourceScriptDatabaseInitializer(dataSource, settings).initializeDatabase();
		}
	}

	static class Scripts implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			hints.resources().registerPattern(SCHEMA.replace("@@platform@@", "*"));
		}

	}

}

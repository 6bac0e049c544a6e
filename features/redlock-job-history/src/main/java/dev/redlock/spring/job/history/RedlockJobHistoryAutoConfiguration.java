package dev.redlock.spring.job;

import java.time.Clock;

import javax.sql.DataSource;

import dev.redlock.Redlock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
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
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ScriptStatementFailedException;
import org.springframework.transaction.CannotCreateTransactionException;

/**
 * Creates the history of jobs, if it is turned on. The start ends if the history cannot
 * be written. If the database cannot be reached, the start only says so: jobs run without
 * it.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnSingleCandidate(Redlock.class)
@ConditionalOnBooleanProperty(name = "redlock.jobs.history.enabled")
class JobHistoryConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(JobHistory.class);

	private static final String SCHEMA = "dev/redlock/spring/job/schema-@@platform@@.sql";

	/**
	 * Ends the start if the library for databases is missing, so that there is no
	 * {@link Table}.
	 */
	@Bean
	@ConditionalOnMissingBean
	JobHistory redlockJobHistoryWithoutLibrary() {
		throw JobHistoryUnusableException.library();
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ JdbcTemplate.class, DataSourceScriptDatabaseInitializer.class,
			DatabaseInitializationMode.class })
	@EnableConfigurationProperties(RedlockJobHistoryProperties.class)
	@ImportRuntimeHints(Scripts.class)
	static class Table {

		@Bean
		@ConditionalOnMissingBean
		@DependsOnDatabaseInitialization
		JobHistory redlockJobHistory(Redlock redlock, ObjectProvider<DataSource> dataSources,
				RedlockJobHistoryProperties properties) {
			DataSource dataSource = dataSources.getIfUnique();
			if (dataSource == null) {
				throw JobHistoryUnusableException.dataSource(dataSources.stream().findAny().isPresent());
			}
			JobHistory history = new JobHistory(dataSource,
					() -> createTable(dataSource, properties.initializeSchema()), () -> redlock.settings().owner(),
					properties.retention(), Clock.systemUTC());
			requireTable(history);
			return history;
		}

		private static void requireTable(JobHistory history) {
			try {
				history.requireTable();
			}
			catch (RuntimeException ex) {
				if (!isUnreachable(ex)) {
					history.close();
					throw JobHistoryUnusableException.table(ex);
				}
				logger.warn("The database of the history of jobs cannot be reached, so its table redlock_job is not"
						+ " checked. The jobs go on without it. {}", String.valueOf(ex));
			}
		}

		private static boolean isUnreachable(Throwable failure) {
			for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
				if (cause instanceof CannotGetJdbcConnectionException
						|| cause instanceof CannotCreateTransactionException
						|| cause instanceof TransientDataAccessException) {
					return true;
				}
			}
			return false;
		}

		private static void createTable(DataSource dataSource, DatabaseInitializationMode mode) {
			boolean wanted = mode == DatabaseInitializationMode.ALWAYS || (mode == DatabaseInitializationMode.EMBEDDED
					&& EmbeddedDatabaseConnection.isEmbedded(dataSource));
			if (wanted) {
				DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
				settings.setMode(DatabaseInitializationMode.ALWAYS);
				settings.setSchemaLocations(new PlatformPlaceholderDatabaseDriverResolver()
					.withDriverPlatform(DatabaseDriver.MARIADB, "mysql")
					.resolveAll(dataSource, "classpath:" + SCHEMA));
				DataSourceScriptDatabaseInitializer script = new DataSourceScriptDatabaseInitializer(dataSource,
						settings);
				try {
					script.initializeDatabase();
				}
				catch (ScriptStatementFailedException ex) {
					// PostgreSQL fails for one of two instances that create a table at
					// the same moment, in spite of IF NOT EXISTS.
					script.initializeDatabase();
				}
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
	static class Operations {

		@Bean
		@ConditionalOnMissingBean
		@ConditionalOnAvailableEndpoint
		RedlockJobsEndpoint redlockJobsEndpoint(JobHistory history) {
			return new RedlockJobsEndpoint(history);
		}

	}

	static class Scripts implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			hints.resources().registerPattern(SCHEMA.replace("@@platform@@", "*"));
		}

	}

}

package dev.redlock.spring.job.history;

import javax.sql.DataSource;

import org.springframework.boot.jdbc.DatabaseDriver;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.jdbc.init.PlatformPlaceholderDatabaseDriverResolver;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.jdbc.datasource.init.ScriptStatementFailedException;

/**
 * Creates the table for the history of jobs.
 */
final class JobHistoryInitializer extends DataSourceScriptDatabaseInitializer {

	static final String SCHEMA = "dev/redlock/spring/job/history/schema-@@platform@@.sql";

	JobHistoryInitializer(DataSource dataSource, RedlockJobHistoryProperties properties) {
		super(dataSource, settings(dataSource, properties));
	}

	/**
	 * Tries again, because PostgreSQL fails in one of two processes that create a table
	 * at once, despite IF NOT EXISTS.
	 */
	@Override
	public boolean initializeDatabase() {
		try {
			return super.initializeDatabase();
		}
		catch (ScriptStatementFailedException ex) {
			return again();
		}
	}

	private boolean again() {
		try {
			return super.initializeDatabase();
		}
		catch (ScriptStatementFailedException ex) {
			throw JobHistoryUnusableException.unusableTable(ex);
		}
	}

	private static DatabaseInitializationSettings settings(DataSource dataSource,
			RedlockJobHistoryProperties properties) {
		PlatformPlaceholderDatabaseDriverResolver platforms = new PlatformPlaceholderDatabaseDriverResolver()
			.withDriverPlatform(DatabaseDriver.MARIADB, "mysql");
		String schema = "classpath:" + SCHEMA;
		DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
		settings.setMode(properties.initializeSchema());
		if (properties.initializeSchema() != DatabaseInitializationMode.NEVER) {
			settings.setSchemaLocations((properties.platform() != null)
					? platforms.resolveAll(properties.platform(), schema) : platforms.resolveAll(dataSource, schema));
		}
		return settings;
	}

}

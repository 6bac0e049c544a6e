package dev.redlock.spring.job.history;

import org.jspecify.annotations.Nullable;

import org.springframework.core.NestedExceptionUtils;

/**
 * Thrown at startup if the history of jobs is turned on and cannot be written.
 */
final class JobHistoryUnusableException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private static final String CREATE_THE_TABLE = "Set redlock.jobs.history.initialize-schema to always, or create "
			+ "the table by a script of redlock-job-history: dev/redlock/spring/job/history/schema-h2.sql, "
			+ "dev/redlock/spring/job/history/schema-mysql.sql or "
			+ "dev/redlock/spring/job/history/schema-postgresql.sql. The user of the database needs the rights to "
			+ "select, insert, update and delete. First drop a table of an earlier version, which has a record of "
			+ "past runs only.";

	private final String description;

	private final String action;

	private JobHistoryUnusableException(String problem, String action, @Nullable Throwable cause) {
		super("The history of jobs is on (redlock.jobs.history.enabled), and " + problem + ". " + action, cause);
		this.description = "The history of jobs is on (redlock.jobs.history.enabled), and " + problem + ".";
		this.action = action + " To run jobs without a history, set redlock.jobs.history.enabled to false.";
	}

	static JobHistoryUnusableException unusableTable(RuntimeException cause) {
		return new JobHistoryUnusableException("its table redlock_job is missing or cannot be used: "
				+ NestedExceptionUtils.getMostSpecificCause(cause).getMessage(), CREATE_THE_TABLE, cause);
	}

	static JobHistoryUnusableException noSingleDataSource(boolean any) {
		return any
				? new JobHistoryUnusableException("there are several DataSource beans, and none of them is primary",
						"Mark one DataSource bean with @Primary.", null)
				: new JobHistoryUnusableException("there is no DataSource bean",
						"Define a DataSource bean, for example by spring-boot-starter-jdbc and spring.datasource.url.",
						null);
	}

	String description() {
		return this.description;
	}

	String action() {
		return this.action;
	}

}

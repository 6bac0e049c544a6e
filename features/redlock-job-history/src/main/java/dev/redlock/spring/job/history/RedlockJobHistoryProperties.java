package dev.redlock.spring.job.history;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.util.Assert;

/**
 * Properties of the history of jobs.
 *
 * @param enabled Whether the ticks of jobs are recorded in the table redlock_job.
 * @param initializeSchema For which databases startup creates the table of the history.
 * @param platform Platform of the script that creates the table: h2, mysql or postgresql.
 * By default, the platform is that of the database.
 * @param retention How long ticks are kept in the history.
 */
@ConfigurationProperties("redlock.jobs.history")
record RedlockJobHistoryProperties(@DefaultValue("false") boolean enabled,
		@DefaultValue("embedded") DatabaseInitializationMode initializeSchema, @Nullable String platform,
		@DefaultValue("30d") Duration retention) {

	RedlockJobHistoryProperties {
		Assert.isTrue(!retention.isNegative() && !retention.isZero(),
				() -> "The retention of the job history must be more than zero, not " + retention);
	}

}

package dev.redlock.spring.job.history;

import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import javax.sql.DataSource;

import dev.redlock.Redlock;
import dev.redlock.it.jpa.Database;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ScriptUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

@Tag("slow")
@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
class JobHistoryOnPostgresTests extends JobHistoryContract {

	@Override
	Database database() throws Exception {
		return Database.postgres();
	}

	@Test
	void anInstanceStartsThatCreatesTheTableAtTheSameMomentAsAnother() throws Exception {
		try (Database empty = database(); Connection other = DriverManager.getConnection(empty.url())) {
			other.setAutoCommit(false);
			ScriptUtils.executeSqlScript(other,
					new ClassPathResource("dev/redlock/spring/job/history/schema-postgresql.sql"));
			DataSource source = new DriverManagerDataSource(empty.url());
			ApplicationContextRunner instance = new ApplicationContextRunner()
				.withBean(Redlock.class, () -> mock(Redlock.class))
				.withBean(DataSource.class, () -> source)
				.withUserConfiguration(RedlockJobHistoryAutoConfiguration.class)
				.withPropertyValues("redlock.jobs.history.enabled=true",
						"redlock.jobs.history.initialize-schema=always");
			CompletableFuture<Void> start = CompletableFuture
				.runAsync(() -> instance.run((context) -> assertThat(context).hasSingleBean(JobHistory.class)));
			JdbcTemplate jdbc = new JdbcTemplate(source);
			Awaitility.await()
				.atMost(Duration.ofMinutes(2))
				.until(() -> jdbc.queryForList("select pid from pg_stat_activity where wait_event_type = 'Lock'",
						Integer.class), (waiting) -> !waiting.isEmpty());
			other.commit();
			start.join();
		}
	}

}

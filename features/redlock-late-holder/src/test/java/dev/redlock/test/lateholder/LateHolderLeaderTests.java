package dev.redlock.test.lateholder;

import java.util.concurrent.CompletableFuture;

import dev.redlock.CurrentLease;
import dev.redlock.spring.fencing.JdbcFenceGuard;
import dev.redlock.spring.leader.LeaderOnly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Work of a leader: its rival is the leader of the next term.
 */
@SpringBootTest
@AutoConfigureLateHolder
@ExtendWith(OutputCaptureExtension.class)
class LateHolderLeaderTests {

	@Autowired
	Importer importer;

	@Autowired
	JdbcTemplate jdbc;

	@Autowired
	LateHolder lateHolder;

	@Test
	void theTermOfALeaderRefusesALateWrite(CapturedOutput output) {
		this.lateHolder.given(this::nothingImported)
			.call(() -> this.importer.importFenced(1))
			.rival(() -> this.importer.importFenced(2))
			.verify(() -> assertThat(position()).isEqualTo(2));
		assertThat(output).containsPattern("1  UPDATE imports .*refused: StaleFenceException +holds")
			.containsPattern("2  update imports .*wrote nothing, then .* +holds");
	}

	@Test
	void workOfALeaderOnAnotherThreadIsAMistake() {
		assertThatIllegalStateException()
			.isThrownBy(() -> this.lateHolder.given(this::nothingImported)
				.call(() -> this.importer.importElsewhere())
				.verify(this::nothingImported))
			.withMessageStartingWith(
					"The call held no lock when it used a database, an HTTP client or another bean that the test "
							+ "watches.")
			.withMessageEndingWith(
					"The test does not see work that a method with @LeaderOnly leaves to another thread. Let the "
							+ "method return a publisher, or do the work on its own thread.");
	}

	private void nothingImported() {
		this.jdbc.update("update imports set position = 0");
	}

	private int position() {
		return this.jdbc.queryForObject("select position from imports", Integer.class);
	}

	static class Importer {

		private final JdbcTemplate jdbc;

		private final JdbcFenceGuard guard;

		Importer(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
			this.guard = new JdbcFenceGuard(jdbc, "imports", "id", "fence");
		}

		@LeaderOnly("importer")
		public void importFenced(int position) {
			this.guard.claim(1, "importer");
			this.jdbc.update("update imports set position = ? where fence = ?", position,
					CurrentLease.require("importer").fence());
		}

		/**
		 * On a new thread, because a thread of the common pool may be older than the
		 * call, and then belongs to nobody.
		 */
		@LeaderOnly("importer")
		public CompletableFuture<Integer> importElsewhere() {
			return CompletableFuture.supplyAsync(() -> this.jdbc.update("update imports set position = 1"),
					(task) -> new Thread(task).start());
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Importer importer(JdbcTemplate jdbc) {
			jdbc.execute("create table imports (id int, position int, fence bigint)");
			jdbc.update("insert into imports values (1, 0, 0)");
			return new Importer(jdbc);
		}

	}

}

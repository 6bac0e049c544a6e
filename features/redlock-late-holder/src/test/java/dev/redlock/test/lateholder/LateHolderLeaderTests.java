package dev.redlock.test.lateholder;

import java.util.concurrent.CompletableFuture;

import dev.redlock.CurrentLease;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.fencing.JdbcFenceGuard;
import dev.redlock.spring.leader.LeaderOnly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
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
	void aLateLeaderOverwritesTheWorkOfTheNextOne() {
		assertThatExceptionOfType(AssertionError.class).isThrownBy(
				() -> this.lateHolder.given(this::nothingImported).call(() -> this.importer.importNext()).rival(() -> {
					this.importer.importNext();
					this.importer.importNext();
				}).verify(() -> assertThat(position()).isGreaterThanOrEqualTo(2)))
			.satisfies((broken) -> assertThat(broken.getMessage().lines().skip(1)).satisfiesExactly(
					(title) -> assertThat(title).startsWith("leader:importer, lock [importer]: 2 steps."),
					(head) -> assertThat(head).startsWith("#"),
					(read) -> assertThat(read).matches("1  select position .*LANDED LATE.* +holds +holds"),
					(write) -> assertThat(write).matches("2  update imports .*LANDED LATE, then .* +BROKEN.* +–"),
					(advice) -> assertThat(advice).startsWith("A write that landed late needs a fence")));
	}

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
	void aLockedCallOfALeaderIsNotItsWork() {
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> this.lateHolder.given(this::nothingImported)
				.call(() -> this.importer.locked(1))
				.rival(() -> this.importer.locked(2))
				.verify(() -> assertThat(position()).isEqualTo(2)))
			.withMessageContaining("lock [imports]: 1 step.");
	}

	@Test
	void aPublisherOfALeaderIsTried(CapturedOutput output) {
		this.lateHolder.given(this::nothingImported)
			.call(() -> this.importer.importLater())
			.verify(this::nothingImported);
		assertThat(output).contains("lock [importer]: 1 step.").containsPattern("1  POST /imports +LANDED LATE");
	}

	@Test
	void workOfALeaderOnAnotherThreadIsAMistake() {
		assertThatIllegalStateException()
			.isThrownBy(() -> this.lateHolder.given(this::nothingImported)
				.call(() -> this.importer.importElsewhere())
				.verify(this::nothingImported))
			.withMessageStartingWith("The call touched the outside without a lock.")
			.withMessageEndingWith("Work that a method with @LeaderOnly leaves to another thread is not seen. Let it"
					+ " return a publisher, or do the work itself.");
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

		private final WebClient web;

		Importer(JdbcTemplate jdbc, WebClient web) {
			this.jdbc = jdbc;
			this.guard = new JdbcFenceGuard(jdbc, "imports", "id", "fence");
			this.web = web;
		}

		@LeaderOnly("importer")
		public void importNext() {
			int position = this.jdbc.queryForObject("select position from imports", Integer.class);
			this.jdbc.update("update imports set position = ?", position + 1);
		}

		@LeaderOnly("importer")
		public void importFenced(int position) {
			this.guard.claim(1, "importer");
			this.jdbc.update("update imports set position = ? where fence = ?", position,
					CurrentLease.require("importer").fence());
		}

		@LeaderOnly("importer")
		public Mono<Void> importLater() {
			return this.web.post().uri("/imports").retrieve().toBodilessEntity().then();
		}

		@LeaderOnly("importer")
		public CompletableFuture<Integer> importElsewhere() {
			return CompletableFuture.supplyAsync(() -> this.jdbc.update("update imports set position = 1"));
		}

		@RedLock("imports")
		public void locked(int position) {
			this.jdbc.update("update imports set position = ?", position);
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@Bean
		WebClient webClient() {
			return WebClient.builder()
				.baseUrl("http://imports.test")
				.exchangeFunction((request) -> Mono.just(ClientResponse.create(HttpStatus.OK).build()))
				.build();
		}

		@Bean
		Importer importer(JdbcTemplate jdbc, WebClient web) {
			jdbc.execute("create table imports (id int, position int, fence bigint)");
			jdbc.update("insert into imports values (1, 0, 0)");
			return new Importer(jdbc, web);
		}

	}

}

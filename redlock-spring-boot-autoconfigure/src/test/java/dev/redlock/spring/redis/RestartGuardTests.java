package dev.redlock.spring.redis;

import java.time.Duration;

import dev.redlock.memory.ManualTime;
import dev.redlock.spi.NodeStatus.State;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RestartGuardTests {

	private static final Duration MAX_TTL = Duration.ofSeconds(60);

	private static final Duration QUARANTINE = Duration.ofMillis(61_100);

	private static final Duration LONG_UP = Duration.ofHours(1);

	private final ManualTime time = new ManualTime();

	private final RestartGuard guard = guard(true);

	@Test
	void aServerSeenFirstThatWasUpForLongIsReady() {
		assertThat(this.guard.judge(server("a", LONG_UP)).state()).isEqualTo(State.READY);
	}

	@Test
	void aServerSeenFirstThatWasStartedLatelyWaitsForAWholeLifeOfALock() {
		RestartGuard.Verdict verdict = this.guard.judge(server("a", Duration.ofSeconds(62)));
		assertThat(verdict.state()).isEqualTo(State.QUARANTINED);
		assertThat(verdict.remaining()).isEqualTo(QUARANTINE);
	}

	@Test
	void uptimeDoesNotCountWhereTheClockOfTheServerIsOff() {
		assertThat(this.guard.judge(facts("a", LONG_UP, false, false, 31_000_000)).state())
			.isEqualTo(State.QUARANTINED);
		assertThat(guard(true).judge(facts("a", LONG_UP, false, false, -31_000_000)).state())
			.isEqualTo(State.QUARANTINED);
	}

	@Test
	void uptimeDoesNotCountForAPromotedReplica() {
		assertThat(this.guard.judge(facts("a", LONG_UP, false, true, 0)).state()).isEqualTo(State.QUARANTINED);
	}

	@Test
	void uptimeDoesNotCountForASecondServerInThePlaceOfTheFirst() {
		this.guard.judge(server("a", LONG_UP));
		assertThat(this.guard.judge(server("b", LONG_UP)).state()).isEqualTo(State.QUARANTINED);
		assertThat(this.guard.judge(server("a", LONG_UP)).state()).isEqualTo(State.QUARANTINED);
	}

	@Test
	void reconnectingDoesNotProlongAQuarantine() {
		this.guard.judge(server("a", Duration.ZERO));
		this.time.advance(Duration.ofSeconds(20));
		assertThat(this.guard.judge(server("a", Duration.ZERO)).remaining()).isEqualTo(QUARANTINE.minusSeconds(20));
		this.time.advance(Duration.ofSeconds(50));
		assertThat(this.guard.judge(server("a", Duration.ZERO)).state()).isEqualTo(State.READY);
	}

	@Test
	void aServerThatVotedBeforeVotesAgainAfterABrokenConnection() {
		this.guard.judge(server("a", Duration.ZERO));
		this.guard.served();
		assertThat(this.guard.judge(server("a", Duration.ZERO)).state()).isEqualTo(State.READY);
	}

	@Test
	void aServerThatWritesEverythingToDiskFirstNeedsNoQuarantine() {
		this.guard.judge(server("a", LONG_UP));
		assertThat(this.guard.judge(facts("b", Duration.ZERO, true, false, 0)).state()).isEqualTo(State.READY);
		assertThat(this.guard.judge(facts("c", Duration.ZERO, true, true, 0)).state()).isEqualTo(State.QUARANTINED);
	}

	@Test
	void withoutTheGuardEveryFitServerIsReady() {
		assertThat(guard(false).judge(server("a", Duration.ZERO)).state()).isEqualTo(State.READY);
	}

	private RestartGuard guard(boolean enabled) {
		return new RestartGuard(NodeFixture.settings(enabled, MAX_TTL), this.time);
	}

	private static ServerFacts server(String runId, Duration uptime) {
		return facts(runId, uptime, false, false, 0);
	}

	private static ServerFacts facts(String runId, Duration uptime, boolean durable, boolean promoted, long clock) {
		return new ServerFacts(runId, "replid", "master", promoted, "noeviction", uptime, durable, clock);
	}

}

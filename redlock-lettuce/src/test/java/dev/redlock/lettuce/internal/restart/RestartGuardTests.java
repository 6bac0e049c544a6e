package dev.redlock.lettuce.internal.restart;

import java.time.Duration;
import java.util.Set;

import dev.redlock.lettuce.NodeFixture;
import dev.redlock.lettuce.internal.facts.ServerFacts;
import dev.redlock.lettuce.internal.restart.RestartGuard.Verdict;
import dev.redlock.lettuce.internal.script.Marker;
import dev.redlock.memory.ManualTime;
import dev.redlock.spi.NodeStatus.State;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RestartGuardTests {

	private static final Duration MAX_TTL = Duration.ofSeconds(60);

	private static final Duration QUARANTINE = Duration.ofMillis(61_100);

	private static final long SINCE = 1_000_000;

	private static final Duration LONG = Duration.ofHours(1);

	private final ManualTime time = new ManualTime();

	private final RestartGuard guard = new RestartGuard(NodeFixture.settings(true, MAX_TTL), this.time);

	@Test
	void aServerThatNobodyHasKnownWaitsForAWholeLifeOfALock() {
		Verdict judged = judge("a", Duration.ZERO);
		assertThat(judged.state()).isEqualTo(State.QUARANTINED);
		assertThat(remaining(judged)).isEqualTo(QUARANTINE);
	}

	@Test
	void aServerThatNobodyCanHaveUsedVotesAtFirstSightAndWaitsAfterARestart() {
		RestartGuard fresh = new RestartGuard(NodeFixture.fresh("", MAX_TTL), this.time);
		assertThat(fresh.stateAfterCheck(facts("a", false, false), sighting("m", Duration.ZERO)).state())
			.isEqualTo(State.READY);
		assertThat(fresh.stateAfterCheck(facts("a", false, false), sighting("m", Duration.ZERO)).state())
			.isEqualTo(State.READY);
		assertThat(remaining(fresh.stateAfterCheck(facts("b", false, false), sighting("n", Duration.ZERO))))
			.isEqualTo(QUARANTINE);
	}

	@Test
	void onlyTheLifeThatWasJudgedHasServedItsQuarantine() {
		judge("a", Duration.ZERO);
		this.time.advance(QUARANTINE);
		assertThat(remaining(judge("b", Duration.ZERO))).isEqualTo(QUARANTINE);
		this.time.advance(QUARANTINE);
		this.guard.hasWaited();
		assertThat(judge("b", Duration.ZERO).state()).isEqualTo(State.READY);
		assertThat(remaining(judge("a", Duration.ZERO))).isEqualTo(QUARANTINE);
	}

	@Test
	void aServerThatCouldEvictWaitsForAWholeLifeOfALockWhenItIsFitAgain() {
		assertThat(judge("a", LONG).state()).isEqualTo(State.READY);
		ServerFacts evicting = new ServerFacts("a", "replid", "master", false, "allkeys-lru", false, false, 0, false,
				false, 0, Set.of());
		assertThat(this.guard.stateAfterCheck(evicting, null).state()).isEqualTo(State.UNFIT);
		Verdict judged = judge("a", LONG);
		assertThat(remaining(judged)).isEqualTo(QUARANTINE);
		assertThat(judged.reason()).startsWith("The server could evict locks, so");
	}

	@Test
	void aRestartOfAServerThatWritesEverythingToDiskFirstNeedsNoQuarantine() {
		this.guard.stateAfterCheck(facts("a", true, false), sighting("m", LONG));
		assertThat(this.guard.stateAfterCheck(facts("b", true, false), sighting("m", LONG)).state())
			.isEqualTo(State.READY);
		assertThat(this.guard.stateAfterCheck(facts("c", true, true), sighting("m", LONG)).state())
			.isEqualTo(State.QUARANTINED);
	}

	@Test
	void aLifeThatWasNotDurableIsNotVouchedForByTheNext() {
		assertThat(this.guard.stateAfterCheck(facts("a", false, false), sighting("m", LONG)).state())
			.isEqualTo(State.READY);
		assertThat(remaining(this.guard.stateAfterCheck(facts("b", true, false), sighting("m", LONG))))
			.isEqualTo(QUARANTINE);
	}

	@Test
	void aLifeThatWasDurableOnlyAtTimesIsLost() {
		this.guard.stateAfterCheck(facts("a", true, false), sighting("m", LONG));
		this.guard.stateAfterCheck(facts("a", false, false), sighting("m", LONG));
		this.guard.stateAfterCheck(facts("a", true, false), sighting("m", LONG));
		assertThat(remaining(this.guard.stateAfterCheck(facts("b", true, false), sighting("m", LONG))))
			.isEqualTo(QUARANTINE);
	}

	@Test
	void aRestartWithAnotherDiskNeedsAQuarantineHoweverDurableTheServerIs() {
		this.guard.stateAfterCheck(facts("a", true, false), sighting("m", LONG));
		assertThat(remaining(this.guard.stateAfterCheck(facts("b", true, false), sighting("n", LONG))))
			.isEqualTo(QUARANTINE);
	}

	@Test
	void aServerThatIsSeenToKeepNoLongerEachWriteIsRememberedAtOnceBeforeACheckOfIt() {
		this.guard.stateAfterCheck(facts("a", true, false), sighting("m", LONG));
		this.guard.observed(everysec("a"));
		assertThat(this.guard.knownServer().durable()).isFalse();
		assertThat(remaining(this.guard.stateAfterCheck(facts("b", true, false), sighting("m", LONG))))
			.isEqualTo(QUARANTINE);
	}

	@Test
	void aServerWhoseCountOfEvictionsWasResetWaits() {
		ServerFacts evicted = new ServerFacts("a", "replid", "master", false, "noeviction", false, false, 0, false,
				false, 3, Set.of());
		assertThat(this.guard.stateAfterCheck(evicted, sighting("m", LONG)).state()).isEqualTo(State.READY);
		this.guard.observed(facts("a", false, false));
		assertThat(remaining(judge("a", LONG))).isEqualTo(QUARANTINE);
	}

	@Test
	void aServerThatHasEvictedSinceItWasSeenWaitsThoughItNoLongerDoes() {
		assertThat(judge("a", LONG).state()).isEqualTo(State.READY);
		ServerFacts evicted = new ServerFacts("a", "replid", "master", false, "noeviction", false, false, 0, false,
				false, 3, Set.of());
		this.guard.observed(evicted);
		Verdict judged = this.guard.stateAfterCheck(evicted, sighting("m", LONG));
		assertThat(remaining(judged)).isEqualTo(QUARANTINE);
		assertThat(judged.reason()).startsWith("The server has evicted keys, so");
	}

	@Test
	void aForwardStepOfTheClockStartsAQuarantineThatTheWordOfOthersDoesNotShorten() {
		judge("a", LONG);
		assertThat(this.guard.clockStepped(-40_000_000)).isNull();
		assertThat(judge("a", LONG).state()).isEqualTo(State.READY);
		assertThat(this.guard.clockStepped(40_000_000)).contains("40000 ms");
		assertThat(this.guard.knownServer().id()).isNotEmpty();
		Verdict judged = judge("a", LONG);
		assertThat(remaining(judged)).isEqualTo(QUARANTINE);
		assertThat(judged.reason()).startsWith("The clock of the server stepped");
	}

	@Test
	void onlyTheProcessWhoseClockSteppedMayExtendWhatItHas() {
		judge("a", LONG);
		this.guard.clockStepped(40_000_000);
		this.guard.clockStepped(40_000_000);
		assertThat(judge("a", LONG).extendable()).isTrue();
		assertThat(judge("a", LONG).state()).isEqualTo(State.QUARANTINED);
		assertThat(judge("b", LONG).extendable()).as("after a restart").isFalse();
		this.guard.clockStepped(40_000_000);
		assertThat(judge("b", LONG).extendable()).as("it has not voted yet").isFalse();
	}

	@Test
	void withoutASightingEveryFitServerIsReady() {
		assertThat(this.guard.stateAfterCheck(facts("a", false, false), null).state()).isEqualTo(State.READY);
	}

	private static Duration remaining(Verdict judged) {
		return judged.remaining();
	}

	private Verdict judge(String runId, Duration age) {
		return this.guard.stateAfterCheck(facts(runId, false, false), sighting("m", age));
	}

	private static DataHistory sighting(String id, Duration age) {
		return sighting(id, age, true, SINCE);
	}

	private static DataHistory sighting(String id, Duration age, boolean durable, long since) {
		return new DataHistory(new Marker("key", id), age, durable, since);
	}

	private static ServerFacts everysec(String runId) {
		return new ServerFacts(runId, "replid", "master", false, "noeviction", true, false, 0, false, false, 0,
				Set.of());
	}

	private static ServerFacts facts(String runId, boolean durable, boolean promoted) {
		return new ServerFacts(runId, "replid", "master", promoted, "noeviction", durable, durable, 0, false, false, 0,
				Set.of());
	}

}

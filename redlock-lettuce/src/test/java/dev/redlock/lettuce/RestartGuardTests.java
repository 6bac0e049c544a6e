package dev.redlock.lettuce;

import java.time.Duration;
import java.util.Set;

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
	void aServerThatOthersHaveKnownForLongIsReadyAtFirstSight() {
		assertThat(judge("a", LONG).state()).isEqualTo(State.READY);
	}

	@Test
	void aServerThatNobodyHasKnownWaitsForAWholeLifeOfALock() {
		RestartGuard.Decision decision = judge("a", Duration.ZERO);
		assertThat(decision.state()).isEqualTo(State.QUARANTINED);
		assertThat(decision.remaining()).isEqualTo(QUARANTINE);
	}

	@Test
	void aServerThatNobodyCanHaveUsedVotesAtFirstSightAndWaitsAfterARestart() {
		RestartGuard fresh = new RestartGuard(NodeFixture.fresh("", MAX_TTL), this.time);
		assertThat(fresh.judge(facts("a", false, false), sighting("m", Duration.ZERO)).state()).isEqualTo(State.READY);
		assertThat(fresh.judge(facts("a", false, false), sighting("m", Duration.ZERO)).state()).isEqualTo(State.READY);
		assertThat(fresh.judge(facts("b", false, false), sighting("n", Duration.ZERO)).remaining())
			.isEqualTo(QUARANTINE);
	}

	@Test
	void whatOthersHaveWaitedIsNotWaitedAgain() {
		assertThat(judge("a", Duration.ofSeconds(40)).remaining()).isEqualTo(QUARANTINE.minusSeconds(40));
	}

	@Test
	void theWordOfOthersDoesNotCountForASecondServerInThePlaceOfTheFirst() {
		judge("a", LONG);
		assertThat(judge("b", LONG).remaining()).isEqualTo(QUARANTINE);
		assertThat(judge("a", LONG).remaining()).isEqualTo(QUARANTINE);
	}

	@Test
	void anotherMarkerOnTheSameServerIsAnotherLife() {
		judge("a", LONG);
		assertThat(this.guard.judge(facts("a", false, false), sighting("flushed", LONG)).remaining())
			.isEqualTo(QUARANTINE);
	}

	@Test
	void aTimerThatIsEarlyDoesNotShortenAQuarantine() {
		NodeStateHolder board = new NodeStateHolder("n", this.time, (node, from, to) -> {
		});
		RestartGuard.Decision decision = judge("a", Duration.ZERO);
		NodeState quarantined = NodeState.quarantined("", decision.remaining(), this.time.nanoTime(), null);
		board.set(quarantined);
		Duration early = Duration.ofMillis(5);
		this.guard.serve(quarantined, decision, board,
				(delay, task) -> this.time.schedule((delay.compareTo(early) > 0) ? delay.minus(early) : delay, task));
		this.time.advance(QUARANTINE.minusNanos(1));
		assertThat(board.now().state()).isEqualTo(State.QUARANTINED);
		this.time.advance(Duration.ofNanos(1));
		assertThat(board.now().state()).isEqualTo(State.READY);
		assertThat(judge("a", Duration.ZERO).state()).isEqualTo(State.READY);
	}

	@Test
	void onlyTheLifeThatWasJudgedHasServedItsQuarantine() {
		NodeStateHolder board = new NodeStateHolder("n", this.time, (node, from, to) -> {
			if (to.state() == State.READY) {
				// Whoever is told takes his time, and the server is restarted meanwhile.
				judge("b", Duration.ZERO);
			}
		});
		RestartGuard.Decision decision = judge("a", Duration.ZERO);
		NodeState quarantined = NodeState.quarantined("", decision.remaining(), this.time.nanoTime(), null);
		board.set(quarantined);
		this.guard.serve(quarantined, decision, board, this.time);
		this.time.advance(QUARANTINE);
		assertThat(judge("b", Duration.ZERO).state()).isEqualTo(State.QUARANTINED);
	}

	@Test
	void aServerThatCouldEvictWaitsForAWholeLifeOfALockWhenItIsFitAgain() {
		assertThat(judge("a", LONG).state()).isEqualTo(State.READY);
		ServerFacts evicting = new ServerFacts("a", "replid", "master", false, "allkeys-lru", false, false, 0, false,
				false, 0, Set.of());
		assertThat(this.guard.judge(evicting, null).state()).isEqualTo(State.UNFIT);
		RestartGuard.Decision decision = judge("a", LONG);
		assertThat(decision.remaining()).isEqualTo(QUARANTINE);
		assertThat(decision.reason()).startsWith("It could evict locks, so");
	}

	@Test
	void reconnectingDoesNotProlongAQuarantine() {
		judge("a", Duration.ZERO);
		this.time.advance(Duration.ofSeconds(20));
		assertThat(judge("a", Duration.ofSeconds(1)).remaining()).isEqualTo(QUARANTINE.minusSeconds(20));
		this.time.advance(Duration.ofSeconds(50));
		assertThat(judge("a", Duration.ofSeconds(1)).state()).isEqualTo(State.READY);
	}

	@Test
	void aServerThatVotedBeforeVotesAgainAfterABrokenConnection() {
		this.guard.served(judge("a", Duration.ZERO));
		assertThat(judge("a", Duration.ZERO).state()).isEqualTo(State.READY);
	}

	@Test
	void aRestartOfAServerThatWritesEverythingToDiskFirstNeedsNoQuarantine() {
		this.guard.judge(facts("a", true, false), sighting("m", LONG));
		assertThat(this.guard.judge(facts("b", true, false), sighting("m", LONG)).state()).isEqualTo(State.READY);
		assertThat(this.guard.judge(facts("c", true, true), sighting("m", LONG)).state()).isEqualTo(State.QUARANTINED);
	}

	@Test
	void aLifeThatWasNotDurableIsNotVouchedForByTheNext() {
		assertThat(this.guard.judge(facts("a", false, false), sighting("m", LONG)).state()).isEqualTo(State.READY);
		assertThat(this.guard.judge(facts("b", true, false), sighting("m", LONG)).remaining()).isEqualTo(QUARANTINE);
	}

	@Test
	void aLifeThatWasDurableOnlyAtTimesIsLost() {
		this.guard.judge(facts("a", true, false), sighting("m", LONG));
		this.guard.judge(facts("a", false, false), sighting("m", LONG));
		this.guard.judge(facts("a", true, false), sighting("m", LONG));
		assertThat(this.guard.judge(facts("b", true, false), sighting("m", LONG)).remaining()).isEqualTo(QUARANTINE);
	}

	@Test
	void aServerThatIsSeenToKeepNoLongerEachWriteIsRememberedAtOnceBeforeACheckOfIt() {
		this.guard.judge(facts("a", true, false), sighting("m", LONG));
		this.guard.looked(everysec("a"));
		assertThat(this.guard.knownLife().durable()).isFalse();
		assertThat(this.guard.judge(facts("b", true, false), sighting("m", LONG)).remaining()).isEqualTo(QUARANTINE);
	}

	@Test
	void aDurableLifeIsKeptByALifeThatIsNotButReadsItsFile() {
		this.guard.judge(facts("a", true, false), sighting("m", LONG));
		assertThat(this.guard.judge(everysec("b"), sighting("m", LONG, false, SINCE)).state()).isEqualTo(State.READY);
		assertThat(this.guard.judge(facts("c", true, false), sighting("m", LONG)).remaining()).isEqualTo(QUARANTINE);
	}

	@Test
	void aDurableLifeIsNotKeptByALifeThatStartedWithASnapshot() {
		this.guard.judge(facts("a", true, false), sighting("m", LONG));
		assertThat(this.guard.judge(facts("b", false, false), sighting("m", LONG)).remaining()).isEqualTo(QUARANTINE);
	}

	@Test
	void aLifeThatOthersSawInBetweenIsNotVouchedForByTheOneThatThisClientKnew() {
		this.guard.judge(facts("a", true, false), sighting("m", LONG));
		assertThat(this.guard.judge(facts("c", true, false), sighting("m", Duration.ZERO, true, SINCE + 1)).remaining())
			.isEqualTo(QUARANTINE);
	}

	@Test
	void aLifeThatOthersSawWhenItWasNotDurableIsNotBelievedToBe() {
		this.guard.judge(facts("a", true, false), sighting("m", LONG, false, SINCE));
		assertThat(this.guard.knownLife().durable()).isFalse();
	}

	@Test
	void aServerWhoseCountOfEvictionsWasResetWaits() {
		ServerFacts evicted = new ServerFacts("a", "replid", "master", false, "noeviction", false, false, 0, false,
				false, 3, Set.of());
		assertThat(this.guard.judge(evicted, sighting("m", LONG)).state()).isEqualTo(State.READY);
		this.guard.looked(facts("a", false, false));
		assertThat(judge("a", LONG).remaining()).isEqualTo(QUARANTINE);
	}

	@Test
	void aServerThatHasEvictedSinceItWasSeenWaitsThoughItNoLongerDoes() {
		assertThat(judge("a", LONG).state()).isEqualTo(State.READY);
		ServerFacts evicted = new ServerFacts("a", "replid", "master", false, "noeviction", false, false, 0, false,
				false, 3, Set.of());
		this.guard.looked(evicted);
		RestartGuard.Decision decision = this.guard.judge(evicted, sighting("m", LONG));
		assertThat(decision.remaining()).isEqualTo(QUARANTINE);
		assertThat(decision.reason()).startsWith("It has evicted keys, so");
	}

	@Test
	void aRestartWithAnotherDiskNeedsAQuarantineHoweverDurableTheServerIs() {
		this.guard.judge(facts("a", true, false), sighting("m", LONG));
		assertThat(this.guard.judge(facts("b", true, false), sighting("n", LONG)).remaining()).isEqualTo(QUARANTINE);
	}

	@Test
	void aForwardStepOfTheClockStartsAQuarantineThatTheWordOfOthersDoesNotShorten() {
		judge("a", LONG);
		assertThat(this.guard.clockStepped(-40_000_000)).isNull();
		assertThat(judge("a", LONG).state()).isEqualTo(State.READY);
		assertThat(this.guard.clockStepped(40_000_000)).contains("40000 ms");
		assertThat(this.guard.knownLife().name()).isNotEmpty();
		RestartGuard.Decision decision = judge("a", LONG);
		assertThat(decision.remaining()).isEqualTo(QUARANTINE);
		assertThat(decision.reason()).startsWith("Its clock stepped");
	}

	@Test
	void withoutASightingEveryFitServerIsReady() {
		assertThat(this.guard.judge(facts("a", false, false), null).state()).isEqualTo(State.READY);
	}

	private RestartGuard.Decision judge(String runId, Duration age) {
		return this.guard.judge(facts(runId, false, false), sighting("m", age));
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

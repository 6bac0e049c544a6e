package dev.redlock.lettuce.internal.clock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

import dev.redlock.lettuce.NodeFixture;
import dev.redlock.lettuce.internal.check.ScriptedServer;
import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.lettuce.internal.facts.ServerRegistry;
import dev.redlock.memory.ManualTime;
import dev.redlock.spi.Claim;
import dev.redlock.spi.Ticker;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a client concludes when clocks of servers seem to step forward.
 */
class PauseDetectorTests {

	private static final Duration PAUSE = Duration.ofMillis(200);

	private final ManualTime time = new ManualTime();

	private final NodeSettings settings = NodeFixture.settings(true, Duration.ofSeconds(60));

	private final PausedTicker ticker = new PausedTicker();

	private final List<Server> servers = new ArrayList<>();

	private final Set<Server> stepped = new HashSet<>();

	private PauseDetector pauses = new PauseDetector(1, this.settings, this.time, this.ticker);

	@Test
	void aGainThatAllNodesShowIsAPauseOfThisProcess() {
		start(3);
		this.ticker.miss(PAUSE);
		assertThat(this.servers.get(0).acquire()).isCompletedWithValueMatching(Granted.class::isInstance);
		assertThat(this.stepped).isEmpty();
		assertThat(missed()).isEqualTo(PAUSE);
		assertThat(this.servers.get(1).acquire()).isCompletedWithValueMatching(Granted.class::isInstance);
		assertThat(missed()).as("it is counted once").isEqualTo(PAUSE);
	}

	@Test
	void aGainOfAMinorityIsAStepOfItsClock() {
		start(3);
		this.servers.get(0).step(PAUSE);
		assertThat(this.servers.get(0).acquire()).isCompletedWithValueMatching(Faulted.class::isInstance);
		assertThat(this.stepped).containsExactly(this.servers.get(0));
		assertThat(missed()).isZero();
	}

	@Test
	void oneNodeThatHasNotGainedProvesThatTheMajorityHasStepped() {
		start(5);
		this.servers.subList(0, 4).forEach((server) -> server.step(PAUSE));
		this.servers.get(1).acquire();
		assertThat(this.stepped).containsExactlyInAnyOrderElementsOf(this.servers.subList(0, 4));
		assertThat(missed()).as("their keys end earlier").isEqualTo(PAUSE);
	}

	@Test
	void aMajorityThatGainedDifferentAmountsHasStepped() {
		start(3);
		this.servers.get(0).step(PAUSE);
		this.servers.get(1).step(PAUSE.plusMillis(51));
		this.servers.get(2).step(PAUSE.plusMillis(102));
		this.servers.get(0).acquire();
		assertThat(this.stepped).containsExactlyInAnyOrderElementsOf(this.servers);
		assertThat(missed()).as("the keys of a majority end earlier").isEqualTo(PAUSE.plusMillis(51));
	}

	@Test
	void tooFewAnswersAreNoProof() {
		start(3);
		this.servers.get(1).silent = true;
		this.servers.get(2).connected = false;
		this.ticker.miss(PAUSE);
		this.servers.get(0).acquire();
		this.time.advance(this.settings.nodeTimeout().multipliedBy(5));
		assertThat(this.stepped).containsExactly(this.servers.get(0));
		assertThat(missed()).isZero();
	}

	@Test
	void oneNodeAloneCannotTellAPauseFromAStep() {
		start(1);
		this.ticker.miss(PAUSE);
		this.servers.get(0).acquire();
		assertThat(this.stepped).containsExactly(this.servers.get(0));
	}

	/** As when the clock of the only host of all servers is corrected. */
	@Test
	void clocksThatComeCloserToTheWallClockOfThisClientWereSetRight() {
		this.ticker.aheadMicros = 200_000;
		start(3);
		this.servers.forEach((server) -> server.step(PAUSE));
		this.servers.get(0).acquire();
		assertThat(this.stepped).containsExactlyInAnyOrderElementsOf(this.servers);
		assertThat(missed()).as("if it was a pause").isEqualTo(PAUSE);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void anAnswerFromBeforeThePauseSaysNothingAndIsNoProofAgainstIt(boolean afterTheVerdict) {
		start(3);
		Server late = this.servers.get(2);
		late.silent = true;
		long sent = this.ticker.nanoTime();
		long told = late.micros();
		this.time.advance(Duration.ofMillis(1));
		this.ticker.miss(PAUSE);
		this.servers.get(0).acquire();
		if (afterTheVerdict) {
			this.time.advance(this.settings.nodeTimeout());
		}
		late.observe(sent, told);
		this.time.advance(this.settings.nodeTimeout());
		this.servers.subList(0, 2).forEach(Server::acquire);
		assertThat(this.stepped).isEmpty();
		assertThat(missed()).isEqualTo(PAUSE);
	}

	/** Node 2 is asked less often, so it remembers the first pause for longer. */
	@Test
	void aShortPauseBeforeALongOneKeepsNoNodeFromVoting() {
		start(3, Duration.ofMillis(4));
		this.ticker.miss(Duration.ofMillis(45));
		for (int second = 0; second < 47; second++) {
			this.time.advance(Duration.ofSeconds(1));
			if (second % 4 == 0) {
				this.servers.subList(0, 2).forEach((server) -> server.acquire(Duration.ofMillis(4)));
			}
			if (second == 16 || second == 35) {
				this.servers.get(2).acquire(Duration.ofMillis(4));
			}
		}
		this.ticker.miss(Duration.ofSeconds(2));
		this.servers.get(0).acquire();
		assertThat(this.stepped).isEmpty();
		assertThat(missed()).isGreaterThanOrEqualTo(Duration.ofSeconds(2));
	}

	/** Its wall clock stands still in the pause, and was ahead before. */
	@Test
	void aPauseThatLooksLikeACorrectionOfClocksShortensLeasesToo() {
		this.ticker.aheadMicros = 160_000;
		start(3);
		this.ticker.miss(PAUSE);
		this.ticker.aheadMicros -= PAUSE.toNanos() / 1000;
		this.servers.get(0).acquire();
		assertThat(this.stepped).containsExactlyInAnyOrderElementsOf(this.servers);
		assertThat(missed()).isEqualTo(PAUSE);
	}

	@Test
	void aClaimWhoseOwnAnswerShowsTheStepDoesNotCount() {
		start(3);
		Server second = this.servers.get(1);
		second.silent = true;
		long sent = this.ticker.nanoTime();
		int forwardSteps = second.clocks.forwardSteps();
		this.servers.subList(0, 2).forEach((server) -> server.step(Duration.ofSeconds(5)));
		this.time.advance(Duration.ofMillis(1));
		this.servers.get(0).acquire();
		CompletableFuture<Vote> vote = new CompletableFuture<>();
		second.clocks.complete(vote, new Granted(Claim.UNFENCED, second.micros()), false, second.clock, sent,
				forwardSteps);
		this.time.advance(this.settings.nodeTimeout().multipliedBy(6));
		assertThat(vote).isCompletedWithValueMatching(Faulted.class::isInstance);
	}

	/**
	 * The servers had read their clocks before the pause, which the wall clock counted.
	 */
	@Test
	void answersThatWereUnderWayDuringAPauseDoNotMakeItLookLikeACorrectionOfClocks() {
		create(3);
		long first = this.ticker.nanoTime();
		this.time.advance(Duration.ofMillis(5));
		this.servers.forEach((server) -> server.observe(first, server.micros()));
		long sent = this.ticker.nanoTime();
		List<Long> told = this.servers.stream().map(Server::micros).toList();
		this.ticker.miss(PAUSE);
		for (int i = 0; i < told.size(); i++) {
			this.servers.get(i).observe(sent, told.get(i));
		}
		this.servers.get(0).acquire();
		assertThat(this.stepped).isEmpty();
		assertThat(missed()).isBetween(PAUSE, PAUSE.plusMillis(5));
	}

	/** As right after the start, when the process is busy. */
	@Test
	void answersThatWereSlowDoNotMakeAPauseLookLikeACorrectionOfClocks() {
		start(3, Duration.ofMillis(30));
		this.ticker.miss(PAUSE);
		this.servers.get(0).acquire();
		assertThat(this.stepped).isEmpty();
		assertThat(missed()).isBetween(PAUSE, PAUSE.plusMillis(30));
	}

	@ParameterizedTest
	@ValueSource(ints = { 30, 40, 49, 51, 60, 75 })
	void shortPausesThatAddUpKeepNoNodeFromVoting(int millis) {
		start(3, Duration.ofMillis(10));
		for (int i = 0; i < 10; i++) {
			this.ticker.miss(Duration.ofMillis(millis));
			this.servers.get(i % 3).acquire(Duration.ofMillis(i % 4));
			this.time.advance(Duration.ofMillis(300));
			this.servers.forEach(Server::acquire);
		}
		assertThat(this.stepped).isEmpty();
		assertThat(missed()).as("all but one that is too short").isGreaterThan(Duration.ofMillis(9 * millis - 50));
	}

	@Test
	void aNodeThatSteppedDuringThePauseIsDoubtedForTheRest() {
		start(3);
		this.ticker.miss(PAUSE);
		this.servers.get(0).step(Duration.ofMillis(40));
		this.servers.get(0).acquire();
		assertThat(this.stepped).isEmpty();
		assertThat(missed()).as("the longest pause that explains it").isEqualTo(PAUSE.plusMillis(40));
		this.servers.get(0).step(Duration.ofMillis(20));
		this.servers.get(0).acquire();
		assertThat(this.stepped).containsExactly(this.servers.get(0));
	}

	@Test
	void anExtensionCountsWhateverItTellsOfTheClock() {
		start(3);
		this.servers.get(0).step(PAUSE);
		assertThat(this.servers.get(0).vote(true)).isCompletedWithValueMatching(Granted.class::isInstance);
		assertThat(this.stepped).containsExactly(this.servers.get(0));
	}

	private void start(int nodes) {
		start(nodes, Duration.ZERO);
	}

	/**
	 * Starts nodes whose first answers take some time.
	 */
	private void start(int nodes, Duration delay) {
		create(nodes);
		this.servers.forEach((server) -> server.acquire(delay));
		this.time.advance(Duration.ofSeconds(1));
		this.servers.forEach((server) -> server.acquire(delay));
	}

	private void create(int nodes) {
		this.pauses = new PauseDetector(nodes, this.settings, this.time, this.ticker);
		for (int i = 0; i < nodes; i++) {
			this.servers.add(new Server());
		}
	}

	private Duration missed() {
		return Duration.ofNanos(this.pauses.missedNanos());
	}

	private final class Server {

		private final NodeClocks clocks;

		private final ClockWatch clock;

		private long steppedMicros;

		private boolean silent;

		private boolean connected = true;

		private Server() {
			ManualTime loop = PauseDetectorTests.this.time;
			NodeContext context = new NodeContext("n", false, PauseDetectorTests.this.settings, new ServerRegistry(),
					PauseDetectorTests.this.pauses, loop, PauseDetectorTests.this.ticker);
			this.clocks = new NodeClocks(context, this::ask, (micros) -> PauseDetectorTests.this.stepped.add(this));
			this.clock = this.clocks.of("", ScriptedServer.facts("a"));
		}

		void step(Duration step) {
			this.steppedMicros += step.toNanos() / 1000;
		}

		CompletableFuture<Vote> acquire() {
			return vote(false);
		}

		/** The answer comes later than the server has read its clock. */
		void acquire(Duration delay) {
			long sent = PauseDetectorTests.this.ticker.nanoTime();
			long told = micros();
			PauseDetectorTests.this.time.advance(delay);
			observe(sent, told);
		}

		CompletableFuture<Vote> vote(boolean extension) {
			CompletableFuture<Vote> vote = new CompletableFuture<>();
			int forwardSteps = this.clocks.forwardSteps();
			this.clocks.complete(vote, new Granted(Claim.UNFENCED, micros()), extension, this.clock,
					PauseDetectorTests.this.ticker.nanoTime(), forwardSteps);
			return vote;
		}

		void observe(long sentNanos, long serverMicros) {
			this.clocks.observe(this.clock, sentNanos, serverMicros);
		}

		long micros() {
			return PauseDetectorTests.this.time.epochMicros() + this.steppedMicros;
		}

		private @Nullable CompletionStage<?> ask() {
			if (!this.connected) {
				return null;
			}
			CompletableFuture<Void> answer = new CompletableFuture<>();
			if (!this.silent) {
				PauseDetectorTests.this.time.execute(() -> {
					observe(PauseDetectorTests.this.ticker.nanoTime(), micros());
					answer.complete(null);
				});
			}
			return answer;
		}

	}

	/**
	 * A clock whose monotonic part misses time.
	 */
	private final class PausedTicker implements Ticker {

		private final AtomicLong missedNanos = new AtomicLong();

		private long aheadMicros;

		void miss(Duration missed) {
			PauseDetectorTests.this.time.advance(missed);
			this.missedNanos.addAndGet(missed.toNanos());
		}

		@Override
		public long nanoTime() {
			return PauseDetectorTests.this.time.nanoTime() - this.missedNanos.get();
		}

		@Override
		public long epochMicros() {
			return PauseDetectorTests.this.time.epochMicros() + this.aheadMicros;
		}

	}

}

package dev.redlock.lettuce.internal.state;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import dev.redlock.lettuce.NodeFixture;
import dev.redlock.lettuce.internal.check.ScriptedServer;
import dev.redlock.lettuce.internal.clock.ClockWatch;
import dev.redlock.lettuce.internal.clock.NodeClocks;
import dev.redlock.lettuce.internal.clock.NodeContext;
import dev.redlock.lettuce.internal.clock.PauseDetector;
import dev.redlock.lettuce.internal.connection.LoopWithTimers;
import dev.redlock.lettuce.internal.connection.ServerReport;
import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.lettuce.internal.facts.ServerFacts;
import dev.redlock.lettuce.internal.facts.ServerRegistry;
import dev.redlock.lettuce.internal.facts.UnfitServerException;
import dev.redlock.lettuce.internal.script.LockScript;
import dev.redlock.memory.ManualTime;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.NodeStatus.State;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each transition of the states of a node, and each of its pauses.
 */
class NodeStateMachineTests {

	private static final Duration LONG = Duration.ofHours(1);

	private static final Duration QUARANTINE = Duration.ofMillis(61_100);

	private final ManualTime time = new ManualTime();

	private final ScriptedServer server = new ScriptedServer();

	private final List<Boolean> connected = new ArrayList<>();

	private final NodeStateMachine machine = machine("n", new ServerRegistry());

	@Test
	void aNodeVotesAfterItsCheckAndNotBefore() {
		this.machine.start();
		assertThat(state()).isEqualTo(State.CHECKING);
		assertThat(this.machine.firstVerdict()).isNotDone();
		assertThat(this.connected).isEmpty();
		answer(ScriptedServer.report("a", LONG));
		assertThat(state()).isEqualTo(State.READY);
		assertThat(this.connected).containsExactly(true);
		assertThat(this.machine.firstVerdict()).isCompleted();
	}

	@Test
	void aServerThatMayHaveForgottenLocksVotesWhenItsTimeIsOver() {
		quarantined();
		this.time.advance(QUARANTINE.minusNanos(1));
		assertThat(state()).isEqualTo(State.QUARANTINED);
		this.time.advance(Duration.ofNanos(1));
		assertThat(state()).isEqualTo(State.READY);
	}

	@Test
	void aTimerThatIsEarlyDoesNotShortenAQuarantine() {
		Duration early = Duration.ofMillis(5);
		NodeStateMachine hurried = machine("n", new ServerRegistry(), new LoopWithTimers(this.time,
				(delay, task) -> this.time.schedule((delay.compareTo(early) > 0) ? delay.minus(early) : delay, task)));
		hurried.start();
		answer(ScriptedServer.report("a", Duration.ZERO));
		this.time.advance(QUARANTINE.minusNanos(1));
		assertThat(hurried.state().state()).isEqualTo(State.QUARANTINED);
		this.time.advance(Duration.ofNanos(1));
		assertThat(hurried.state().state()).isEqualTo(State.READY);
	}

	@ParameterizedTest
	@EnumSource(value = State.class, names = { "READY", "QUARANTINED" })
	void aDoubtAboutTheServerIsCheckedAtOnce(State from) {
		inState(from);
		refuse("NOSCRIPT No matching script");
		assertThat(state()).isEqualTo(State.CHECKING);
		answer(ScriptedServer.report("a", (from == State.READY) ? LONG : Duration.ZERO));
		assertThat(state()).isEqualTo(from);
	}

	@Test
	void aQuarantineThatWasInterruptedByACheckDoesNotEndTheCheck() {
		quarantined();
		this.time.advance(QUARANTINE.minusSeconds(1));
		refuse("NOSCRIPT No matching script");
		this.time.advance(Duration.ofSeconds(2));
		assertThat(state()).isEqualTo(State.CHECKING);
	}

	@Test
	void aNodeWhoseServerIsNotFitConnectsAnewAfterFiveSeconds() {
		this.machine.start();
		answer(unfit());
		assertThat(state()).isEqualTo(State.UNFIT);
		assertThat(this.machine.state().reason()).contains("maxmemory-policy of the server is allkeys-lru");
		connectsAnewAfterFiveSeconds();
		answer(ScriptedServer.report("a", LONG));
		assertThat(state()).isEqualTo(State.QUARANTINED);
	}

	@Test
	void aServerThatLoadsItsDataIsCheckedAgainAfterHalfASecond() {
		this.machine.start();
		fail(new RedisCommandExecutionException("LOADING Redis is loading the dataset in memory"));
		assertThat(this.machine.state().reason()).isEqualTo("The server is loading its data");
		checkedAgainAfter(Duration.ofMillis(500), State.UNAVAILABLE);
		answer(ScriptedServer.report("a", LONG));
		assertThat(state()).isEqualTo(State.READY);
	}

	@Test
	void aServerThatRefusesWritesMayExtendWhatItHas() {
		ready();
		refuse("READONLY You can't write against a read only replica");
		fail(new RedisCommandExecutionException("OOM command not allowed"));
		assertThat(state()).isEqualTo(State.UNFIT);
		assertThat(this.machine.state().allows(LockScript.EXTEND)).isTrue();
		assertThat(this.machine.state().allows(LockScript.ACQUIRE)).isFalse();
		checkedAgainAfter(Duration.ofSeconds(5), State.UNFIT);
	}

	@Test
	void aServerThatLacksWhatLocksNeedMayNotEvenExtend() {
		ready();
		refuse("READONLY You can't write against a read only replica");
		fail(new UnfitServerException("Its Redis user may not run EVALSHA"));
		assertThat(this.machine.state().allows(LockScript.EXTEND)).isFalse();
		connectsAnewAfterFiveSeconds();
	}

	@ParameterizedTest
	@EnumSource(value = State.class, names = { "CHECKING", "READY", "QUARANTINED", "UNFIT" })
	void aLostConnectionMakesTheNodeUnavailableAndIsMadeAnew(State from) {
		inState(from);
		ScriptedServer.Link lost = this.server.link();
		lost.lose(this.time, "gone");
		assertThat(state()).isEqualTo(State.UNAVAILABLE);
		assertThat(this.machine.state().reason()).isEqualTo("gone");
		assertThat(lost.closed).isTrue();
		assertThat(this.connected).endsWith(false);
		this.time.advance(Duration.ofSeconds(3));
		assertThat(this.server.links).hasSize(2);
		assertThat(state()).isEqualTo(State.CHECKING);
		assertThat(this.connected).endsWith(false);
		int checks = lost.checks.size();
		this.time.advance(QUARANTINE);
		assertThat(lost.checks).hasSize(checks);
		assertThat(state()).isEqualTo(State.CHECKING);
	}

	@Test
	void theAnswerOfAnOutdatedCheckIsIgnored() {
		this.machine.start();
		ScriptedServer.Link old = this.server.link();
		old.lose(this.time, "gone");
		this.time.advance(Duration.ofSeconds(3));
		assertThat(state()).isEqualTo(State.CHECKING);
		old.answer(this.time, ScriptedServer.report("a", LONG));
		assertThat(state()).isEqualTo(State.CHECKING);
		old.looks.clear();
		this.time.advance(NodeSettings.CHECK_INTERVAL);
		assertThat(old.looks).isEmpty();
	}

	@Test
	void aDoubtThatBeginsDuringACheckIsToldToTheServerByAnother() {
		ready();
		refuse("NOSCRIPT No matching script");
		String before = this.server.link().known.get(1).id();
		stepClock(Duration.ofSeconds(40));
		answer(ScriptedServer.report("a", LONG));
		assertThat(state()).isEqualTo(State.CHECKING);
		assertThat(this.server.link().checks).hasSize(3);
		assertThat(this.server.link().known.get(2).id()).isNotEqualTo(before);
		answer(ScriptedServer.report("a", LONG));
		assertThat(state()).isEqualTo(State.QUARANTINED);
	}

	@Test
	void aClockThatSteppedForwardIsDoubted() {
		ready();
		stepClock(Duration.ofSeconds(40));
		assertThat(state()).isEqualTo(State.CHECKING);
		assertThat(this.machine.state().reason()).contains("stepped forward");
	}

	@Test
	void aClockThatSteppedBackIsNot() {
		ready();
		stepClock(Duration.ofSeconds(-40));
		assertThat(state()).isEqualTo(State.READY);
	}

	@Test
	void aServerThatMayVoteIsLookedAtEveryTwentySeconds() {
		ready();
		for (int looks = 1; looks <= 3; looks++) {
			this.time.advance(NodeSettings.CHECK_INTERVAL.minusNanos(1));
			assertThat(this.server.link().looks).hasSize(looks - 1);
			this.time.advance(Duration.ofNanos(1));
			assertThat(this.server.link().looks).hasSize(looks);
			this.server.link().answerLook(this.time, ScriptedServer.facts("a"));
			assertThat(state()).isEqualTo(State.READY);
		}
		assertThat(this.server.link().checks).hasSize(1);
	}

	@Test
	void aServerThatHasChangedIsChecked() {
		ready();
		this.time.advance(NodeSettings.CHECK_INTERVAL);
		this.server.link().answerLook(this.time, unfit().facts());
		assertThat(state()).isEqualTo(State.CHECKING);
		assertThat(this.machine.state().reason()).isEqualTo("The configuration or the role of the server has changed");
	}

	@Test
	void aServerThatDoesNotAnswerALookIsChecked() {
		ready();
		this.time.advance(NodeSettings.CHECK_INTERVAL);
		this.time.execute(() -> this.server.link().looks.get(0).completeExceptionally(new RedisException("no answer")));
		assertThat(state()).isEqualTo(State.CHECKING);
		assertThat(this.machine.state().reason()).isEqualTo("The server did not answer INFO: no answer");
	}

	@Test
	void aLookOverAnOldConnectionDoesNotTakeThePlaceOfTheNextOne() {
		ready();
		this.time.advance(NodeSettings.CHECK_INTERVAL);
		ScriptedServer.Link old = this.server.link();
		old.lose(this.time, "gone");
		this.time.advance(Duration.ofSeconds(3));
		answer(ScriptedServer.report("a", LONG));
		old.answerLook(this.time, ScriptedServer.facts("a"));
		this.time.advance(NodeSettings.CHECK_INTERVAL);
		assertThat(old.looks).hasSize(1);
		assertThat(this.server.link().looks).hasSize(1);
	}

	@Test
	void anErrorOfAClaimIsTriedOutAtMostOnceASecondWhileTheNodeVotes() {
		ready();
		refuse("ERR something about one key");
		refuse("ERR something about one key");
		assertThat(state()).isEqualTo(State.READY);
		assertThat(this.server.link().trials).hasSize(1);
		this.time.advance(Duration.ofSeconds(1));
		refuse("ERR something about one key");
		assertThat(this.server.link().trials).hasSize(2);
		failTrial(1, new RedisCommandExecutionException("ERR something about all keys"));
		assertThat(state()).isEqualTo(State.UNFIT);
		checkedAgainAfter(Duration.ofSeconds(5), State.UNFIT);
	}

	@Test
	void aTrialFromBeforeACheckDoesNotCount() {
		ready();
		refuse("ERR something about one key");
		refuse("NOSCRIPT No matching script");
		answer(ScriptedServer.report("a", LONG));
		failTrial(0, new RedisCommandExecutionException("ERR something about all keys"));
		assertThat(state()).isEqualTo(State.READY);
	}

	@Test
	void aClusterThatHasChangedIsConnectedAnew() {
		ready();
		refuse("MOVED 1 127.0.0.1:7001");
		assertThat(state()).isEqualTo(State.UNAVAILABLE);
		assertThat(this.machine.state().reason()).contains("The cluster has changed");
		this.time.advance(Duration.ofSeconds(3));
		assertThat(this.server.links).hasSize(2);
	}

	@Test
	void aCheckThatGotNoAnswerEndsTheConnection() {
		this.machine.start();
		fail(new RedisException("connection reset"));
		assertThat(state()).isEqualTo(State.UNAVAILABLE);
		assertThat(this.machine.state().reason()).isEqualTo("The check of the server failed: connection reset");
		assertThat(this.server.link().closed).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "WRONGPASS invalid username-password pair", "NOAUTH Authentication required." })
	void aCheckThatShowsAWrongPasswordMakesTheNodeUnfitWithoutAConnection(String error) {
		this.machine.start();
		fail(new RedisCommandExecutionException(error));
		assertThat(state()).isEqualTo(State.UNFIT);
		assertThat(this.machine.state().reason()).endsWith("Change the password");
		assertThat(this.server.link().closed).isTrue();
		assertThat(this.machine.state().connection()).isNull();
	}

	@ParameterizedTest
	@EnumSource(value = State.class, names = { "CHECKING", "READY", "QUARANTINED", "UNFIT" })
	void aClosedNodeDoesNothingMore(State from) {
		inState(from);
		this.machine.close();
		assertThat(this.machine.state().reason()).isEqualTo("The node was closed");
		assertThat(this.server.link().closed).isTrue();
		int checks = this.server.link().checks.size();
		this.server.link().answer(this.time, ScriptedServer.report("a", LONG));
		this.server.link().lose(this.time, "gone");
		this.time.advance(QUARANTINE);
		assertThat(this.machine.state().reason()).isEqualTo("The node was closed");
		assertThat(this.server.links).hasSize(1);
		assertThat(this.server.link().checks).hasSize(checks);
		assertThat(this.time.pending()).isZero();
	}

	@Test
	void aNodeThatIsStartedAgainStillKnowsItsServer() {
		ready();
		this.machine.close();
		this.machine.start();
		assertThat(state()).isEqualTo(State.CHECKING);
		answer(ScriptedServer.report("b", LONG));
		assertThat(state()).isEqualTo(State.QUARANTINED);
		assertThat(this.machine.state().reason()).contains("restarted or emptied");
	}

	private NodeStateMachine machine(String name, ServerRegistry registry) {
		return machine(name, registry, this.time);
	}

	private NodeStateMachine machine(String name, ServerRegistry registry, EventLoop loop) {
		NodeSettings guarded = NodeFixture.settings(true, Duration.ofSeconds(60));
		return new NodeStateMachine(
				this.server, new NodeContext(name, false, guarded, registry,
						new PauseDetector(1, guarded, loop, this.time), loop, this.time),
				(connection) -> this.connected.add(connection != null), (from, to) -> {
				});
	}

	private void inState(State state) {
		switch (state) {
			case READY -> ready();
			case QUARANTINED -> quarantined();
			case UNFIT -> {
				this.machine.start();
				answer(unfit());
			}
			default -> this.machine.start();
		}
		assertThat(state()).isEqualTo(state);
	}

	private void ready() {
		this.machine.start();
		answer(ScriptedServer.report("a", LONG));
		assertThat(state()).isEqualTo(State.READY);
	}

	private void quarantined() {
		this.machine.start();
		answer(ScriptedServer.report("a", Duration.ZERO));
		assertThat(state()).isEqualTo(State.QUARANTINED);
	}

	private static ServerReport unfit() {
		ServerFacts evicting = new ServerFacts("a", "replid", "master", false, "allkeys-lru", false, false, 0, false,
				false, 0, Set.of());
		return new ServerReport(evicting, null, null);
	}

	/**
	 * The state stays until the check that follows has another result.
	 */
	private void checkedAgainAfter(Duration pause, State meanwhile) {
		int checks = this.server.link().checks.size();
		this.time.advance(pause.minusNanos(1));
		assertThat(this.server.link().checks).hasSize(checks);
		this.time.advance(Duration.ofNanos(1));
		assertThat(this.server.link().checks).hasSize(checks + 1);
		assertThat(state()).isEqualTo(meanwhile);
	}

	private void connectsAnewAfterFiveSeconds() {
		int links = this.server.links.size();
		ScriptedServer.Link old = this.server.link();
		this.time.advance(Duration.ofSeconds(5).minusNanos(1));
		assertThat(old.closed).as("releases still need it").isFalse();
		this.time.advance(Duration.ofNanos(1));
		assertThat(old.closed).isTrue();
		assertThat(this.server.links).hasSize(links + 1);
		assertThat(state()).isEqualTo(State.UNFIT);
	}

	private void answer(ServerReport report) {
		this.server.link().answer(this.time, report);
	}

	private void fail(RuntimeException failure) {
		this.server.link().fail(this.time, failure);
	}

	private void refuse(String error) {
		this.server.link().refuse(this.time, error);
	}

	private void failTrial(int trial, RuntimeException failure) {
		this.time.execute(() -> this.server.link().trials.get(trial).completeExceptionally(failure));
	}

	private void stepClock(Duration step) {
		NodeClocks clocks = this.server.clocks;
		assertThat(clocks).isNotNull();
		this.time.execute(() -> {
			ClockWatch clock = clocks.of("place", ScriptedServer.facts("a"));
			clocks.observe(clock, this.time.nanoTime(), this.time.epochMicros());
			clocks.observe(clock, this.time.nanoTime(), this.time.epochMicros() + step.toNanos() / 1000);
		});
	}

	private State state() {
		return this.machine.state().state();
	}

}

package dev.redlock.lettuce.internal.state;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.redlock.lettuce.LogLines;
import dev.redlock.lettuce.internal.check.ScriptedServer;
import dev.redlock.lettuce.internal.connection.NodeConnection;
import dev.redlock.lettuce.internal.script.LockScript;
import dev.redlock.memory.ManualTime;
import dev.redlock.spi.NodeStatus.State;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

class NodeStateHolderTests {

	@RegisterExtension
	final LogLines lines = new LogLines("dev.redlock.node");

	private final ManualTime time = new ManualTime();

	private final List<State> whenTold = new ArrayList<>();

	private final NodeStateHolder board = new NodeStateHolder("a", this.time, (from, to) -> tell());

	@Test
	void aChangeIsASentenceForPeopleAndFieldsForMachines() {
		this.board.set(NodeState.ready(null));
		this.board.set(NodeState.of(State.UNAVAILABLE, "the connection was lost", null));
		this.board.set(NodeState.of(State.UNAVAILABLE, "still not connected", null));
		assertThat(this.lines.list).extracting(ILoggingEvent::getLevel).containsExactly(Level.INFO, Level.WARN);
		ILoggingEvent lost = this.lines.list.get(1);
		assertThat(lost.getFormattedMessage()).isEqualTo("Redlock node 'a' is unavailable and does not vote until it"
				+ " is connected again: the connection was lost");
		assertThat(lost.getKeyValuePairs()).extracting((pair) -> pair.key + "=" + pair.value)
			.containsExactly("redlock.node=a", "redlock.from=READY", "redlock.state=UNAVAILABLE");
	}

	@Test
	void onlyAReadyNodeIsCountedForASuccession() {
		assertThat(NodeState.ready(null).allows(LockScript.SUCCEED)).isTrue();
		assertThat(NodeState.quarantined("restarted", Duration.ofSeconds(1), 0, null, true).allows(LockScript.SUCCEED))
			.isFalse();
		assertThat(NodeState.of(State.CHECKING, "new", null).allows(LockScript.SUCCEED)).isFalse();
	}

	@Test
	void aNodeThatIsLostInEachCheckSaysSoOnce() {
		for (int i = 0; i < 3; i++) {
			this.board.set(NodeState.of(State.CHECKING, "The server was just connected", null));
			this.board.set(NodeState.of(State.UNAVAILABLE, "The connection was lost", null));
		}
		this.board.set(NodeState.of(State.CHECKING, "The server was just connected", null));
		this.board.set(NodeState.ready(null));
		assertThat(this.lines.list).filteredOn((line) -> line.getLevel() != Level.DEBUG)
			.extracting(ILoggingEvent::getLevel)
			.containsExactly(Level.WARN, Level.INFO);
	}

	@Test
	void aServerThatLoadsItsDataSaysSoAlsoAfterItsConnectionWasLost() {
		NodeConnection connection = new ScriptedServer.Link();
		this.board.set(NodeState.of(State.UNAVAILABLE, "The connection was lost", null));
		for (int i = 0; i < 2; i++) {
			this.board.set(NodeState.of(State.CHECKING, "The server was just connected", connection));
			this.board.set(NodeState.checkRefused("LOADING Redis is loading the dataset in memory", "+all", connection,
					false));
		}
		assertThat(this.lines.list).filteredOn((line) -> line.getLevel() == Level.WARN)
			.extracting(ILoggingEvent::getFormattedMessage)
			.hasSize(2)
			.last(InstanceOfAssertFactories.STRING)
			.endsWith("The server is loading its data");
	}

	@Test
	void theReasonOfAQuarantineNamesItsEndAndOnlyTheLogLineWhatIsLeftOfIt() {
		NodeState quarantined = NodeState.quarantined("It was restarted", Duration.ofSeconds(61), this.time.nanoTime(),
				null, false);
		assertThat(quarantined.reason()).matches("It was restarted\\. The node votes again after \\S+Z");
		assertThat(quarantined.denial().detail()).doesNotContain(" ms");
		this.time.advance(Duration.ofSeconds(1));
		this.board.set(quarantined);
		assertThat(this.lines.list.get(0).getFormattedMessage()).endsWith("Z (in 60000 ms)");
		assertThat(this.board.now().status(this.time.nanoTime()).remaining()).isEqualTo(Duration.ofSeconds(60));
	}

	@Test
	void aChangeIsLoggedBeforeItShowsAndToldAfterwards() {
		Logger logger = (Logger) LoggerFactory.getLogger("dev.redlock.node");
		List<State> whenLogged = new ArrayList<>();
		AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {

			@Override
			protected void append(ILoggingEvent line) {
				whenLogged.add(NodeStateHolderTests.this.board.now().state());
			}

		};
		appender.start();
		logger.addAppender(appender);
		this.board.set(NodeState.ready(null));
		this.board.set(NodeState.of(State.UNFIT, "The server is a replica", null));
		logger.detachAppender(appender);
		assertThat(whenLogged).containsExactly(State.UNAVAILABLE, State.READY);
		assertThat(this.whenTold).containsExactly(State.READY, State.UNFIT);
	}

	@Test
	void nothingChangesAfterTheEnd() {
		this.board.close();
		this.board.set(NodeState.ready(null));
		assertThat(this.board.now().state()).isEqualTo(State.UNAVAILABLE);
		assertThat(this.lines.list).isEmpty();
		assertThat(this.whenTold).isEmpty();
	}

	private void tell() {
		this.whenTold.add(this.board.now().state());
	}

}

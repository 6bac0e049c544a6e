package dev.redlock.spring.redis;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.redlock.memory.ManualTime;
import dev.redlock.spi.NodeStatus.State;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

class StandingBoardTests {

	private final Logger logger = (Logger) LoggerFactory.getLogger(StandingBoard.class);

	private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

	private final StandingBoard board = new StandingBoard("a", new ManualTime(), (node, from, to) -> {
	});

	@BeforeEach
	void listen() {
		this.lines.start();
		this.logger.addAppender(this.lines);
	}

	@AfterEach
	void stopListening() {
		this.logger.detachAppender(this.lines);
	}

	@Test
	void aChangeIsASentenceForPeopleAndFieldsForMachines() {
		this.board.set(Standing.ready(null));
		this.board.set(Standing.of(State.UNAVAILABLE, "the connection was lost", null));
		this.board.set(Standing.of(State.UNAVAILABLE, "still not connected", null));
		assertThat(this.lines.list).extracting(ILoggingEvent::getLevel).containsExactly(Level.INFO, Level.WARN);
		ILoggingEvent lost = this.lines.list.get(1);
		assertThat(lost.getFormattedMessage()).isEqualTo("Redlock node 'a' is unavailable and does not vote until it"
				+ " is connected again: the connection was lost");
		assertThat(lost.getKeyValuePairs()).extracting((pair) -> pair.key + "=" + pair.value)
			.containsExactly("redlock.node=a", "redlock.from=READY", "redlock.state=UNAVAILABLE");
	}

}

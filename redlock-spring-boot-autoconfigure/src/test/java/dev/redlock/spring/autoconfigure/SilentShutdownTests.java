package dev.redlock.spring.autoconfigure;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.spi.NodeStatus.State;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

class SilentShutdownTests extends ThreeServers {

	private final Logger logger = (Logger) LoggerFactory.getLogger("dev.redlock");

	private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

	@AfterEach
	void stopListening() {
		this.logger.detachAppender(this.lines);
	}

	@Test
	void aContextThatHoldsALockAndHasADeadNodeClosesWithoutALineInTheLog() {
		three().withPropertyValues("redlock.instances.c.port=1").run((context) -> {
			LockNodes nodes = context.getBean(LockNodes.class);
			Awaitility.await()
				.until(() -> nodes.list().stream().filter((node) -> node.status().state() == State.READY).count() == 2);
			assertThat(context.getBean(Redlock.class).attemptAndWait(LockRequest.of("held")).lease()).isPresent();
			this.lines.start();
			this.logger.addAppender(this.lines);
		});
		assertThat(this.lines.list).filteredOn((line) -> line.getLevel().isGreaterOrEqual(Level.INFO)).isEmpty();
	}

}

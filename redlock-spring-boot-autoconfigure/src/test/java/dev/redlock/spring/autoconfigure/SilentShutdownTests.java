package dev.redlock.spring.autoconfigure;

import ch.qos.logback.classic.Level;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.lettuce.LogLines;
import dev.redlock.spi.NodeStatus.State;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

class SilentShutdownTests extends ThreeServers {

	@RegisterExtension
	final LogLines lines = new LogLines("dev.redlock");

	@Test
	void aContextThatHasHeldALockAndHasADeadNodeClosesWithoutALineInTheLog() {
		three().withPropertyValues("redlock.instances.c.port=1").run((context) -> {
			LockNodes nodes = context.getBean(LockNodes.class);
			Awaitility.await()
				.until(() -> nodes.list().stream().filter((node) -> node.status().state() == State.READY).count() == 2);
			context.getBean(Redlock.class).attemptAndWait(LockRequest.of("held")).orThrow().close();
			this.lines.list.clear();
		});
		assertThat(this.lines.list).filteredOn((line) -> line.getLevel().isGreaterOrEqual(Level.INFO)).isEmpty();
	}

}

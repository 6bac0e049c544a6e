package dev.redlock.lettuce;

import java.time.Duration;

import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote.Granted;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static dev.redlock.lettuce.NodeFixture.await;
import static dev.redlock.lettuce.NodeFixture.awaitAsserted;
import static dev.redlock.lettuce.NodeFixture.claim;
import static dev.redlock.lettuce.NodeFixture.vote;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Servers whose operator has removed commands of the lock. Most are real servers with
 * {@code rename-command}; for the rest, an {@link EditingProxy} stands in.
 */
@ExtendWith(OutputCaptureExtension.class)
class RemovedCommandsTests {

	private static final NodeSettings SETTINGS = NodeFixture.fresh("redlock:", Duration.ofSeconds(60));

	@AutoClose
	private final NodeFixture fixture = new NodeFixture();

	@ParameterizedTest
	@ValueSource(strings = { "CLIENT", "PUBLISH" })
	void aServerWithoutACommandThatLocksCanDoWithoutVotesAndWarns(String removed, CapturedOutput output) {
		RedisProcess server = this.fixture.server("--appendonly", "yes", "--appendfsync", "always", "--rename-command",
				removed, "");
		LockNode node = await(this.fixture.lettuce("a", server.uri(), SETTINGS), State.READY);
		awaitAsserted(() -> assertThat(output)
			.containsPattern("WARN.*[Rr]edlock node 'a' cannot .*Redis said: ERR .*Locks stay safe"));
		assertThat(vote(node.acquire(claim("redlock:k", "t"), this.fixture.fence()))).isInstanceOf(Granted.class);
		assertThat(vote(node.release(claim("redlock:k", "t"), Duration.ZERO, true))).isInstanceOf(Granted.class);
	}

}

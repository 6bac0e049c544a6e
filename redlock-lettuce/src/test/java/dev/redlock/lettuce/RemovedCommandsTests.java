package dev.redlock.lettuce;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote.Granted;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static dev.redlock.lettuce.NodeFixture.await;
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

	private final NodeFixture fixture = new NodeFixture();

	private final List<AutoCloseable> opened = new ArrayList<>();

	@AfterEach
	void tearDown() throws Exception {
		this.fixture.close();
		for (AutoCloseable each : this.opened) {
			each.close();
		}
	}

	@ParameterizedTest
	@CsvSource({ "CLIENT, 'CLIENT ID, CLIENT KILL', may take effect late",
			"PUBSUB, PUBSUB NUMSUB, may not hear of its release", "PUBLISH, PUBLISH, may not hear of its release",
			"SUBSCRIBE, SUBSCRIBE, may not hear of its release",
			"CONFIG, CONFIG GET, a server that may forget locks when it restarts" })
	void aServerWithoutACommandThatLocksCanDoWithoutVotesAndWarns(String removed, String missing, String without,
			CapturedOutput output) {
		RedisProcess server = serverWithout(removed);
		LockNode node = await(this.fixture.lettuce("a", server.uri(), SETTINGS), State.READY);
		Awaitility.await()
			.atMost(NodeFixture.BOUND)
			.untilAsserted(() -> assertThat(output)
				.containsPattern("WARN.*Redlock node 'a': The server does not run " + missing + " \\(.*" + without)
				.doesNotContain("ACL rules"));
		assertThat(vote(node.acquire(claim("redlock:k", "t"), this.fixture.fence()))).isInstanceOf(Granted.class);
		assertThat(vote(node.release(claim("redlock:k", "t"), Duration.ZERO, true))).isInstanceOf(Granted.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "EVAL", "SCRIPT", "EVALSHA", "TIME", "PTTL", "INFO" })
	void aServerWithoutACommandThatLocksNeedIsUnfitAndSaysWhich(String removed) {
		RedisProcess server = serverWithout(removed);
		LockNode node = await(this.fixture.lettuce("a", server.uri(), SETTINGS), State.UNFIT);
		assertThat(node.status().reason()).startsWith("The server does not run " + removed)
			.contains("which locks need")
			.doesNotContain("ACL rules");
	}

	@Test
	void whatIsForbiddenAndWhatIsUnknownIsToldApart() {
		RedisProcess server = RedisProcess.start("--rename-command", "EVALSHA", "");
		this.opened.add(server);
		LockNode node = await(this.fixture.lettuce("a",
				LeastUser.make(server, "redlock:", (right) -> !right.equals("+pttl")), SETTINGS), State.UNFIT);
		assertThat(node.status().reason()).contains("The server does not run EVALSHA (")
			.contains("Its Redis user may not run PTTL: add +pttl to its ACL rules");
	}

	@ParameterizedTest
	@ValueSource(strings = { "ERR Command is not available: 'CLIENT'. See the list of commands",
			"ERR unknown command `CLIENT`, with args beginning with: `KILL`, " })
	void aRefusalInOtherWordsIsAMissingCommandToo(String error, CapturedOutput output) {
		EditingProxy proxy = EditingProxy.to(serverWithout("CONFIG"));
		this.opened.add(proxy);
		proxy.refuse((command) -> command.get(0).equals("CLIENT") && command.get(1).equals("KILL"), error);
		await(this.fixture.lettuce("a", proxy.uri(), SETTINGS), State.READY);
		Awaitility.await()
			.atMost(NodeFixture.BOUND)
			.untilAsserted(() -> assertThat(output)
				.containsPattern("WARN.*Redlock node 'a': The server does not run CLIENT KILL \\("));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aServerThatRefusesUndeclaredKeysInScriptsIsUnfit(boolean wholeScript) {
		EditingProxy proxy = EditingProxy.to(serverWithout("CONFIG"));
		this.opened.add(proxy);
		String error = "ERR script tried accessing undeclared key";
		if (wholeScript) {
			proxy.refuse((command) -> command.get(0).equals("EVAL")
					&& command.contains("GET\nredlock:{redlock-node}:rights"), error);
		}
		else {
			proxy.edit(
					(command) -> command.get(0).equals("EVAL")
							&& command.contains("GET\nredlock:{redlock-node}:rights"),
					(reply) -> reply.replace("$0\r\n\r\n", "$" + error.length() + "\r\n" + error + "\r\n"));
		}
		LockNode node = await(this.fixture.lettuce("a", proxy.uri(), SETTINGS), State.UNFIT);
		assertThat(node.status().reason()).contains("undeclared key").contains("Point the instance at ");
	}

	private RedisProcess serverWithout(String command) {
		RedisProcess server = RedisProcess.start("--appendonly", "yes", "--appendfsync", "always", "--rename-command",
				command, "");
		this.opened.add(server);
		return server;
	}

}

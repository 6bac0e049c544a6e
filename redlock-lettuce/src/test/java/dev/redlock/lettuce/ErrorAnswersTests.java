package dev.redlock.lettuce;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import ch.qos.logback.classic.Level;
import dev.redlock.LockAttempt;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import io.lettuce.core.RedisURI;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.redlock.lettuce.NodeFixture.await;
import static dev.redlock.lettuce.NodeFixture.claim;
import static dev.redlock.lettuce.NodeFixture.vote;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A node that answers each claim with an error is not ready.
 */
class ErrorAnswersTests {

	private static final NodeSettings GUARDED = NodeFixture.fresh("", Duration.ofSeconds(60));

	@RegisterExtension
	private final LogLines log = new LogLines("dev.redlock.node");

	@AutoClose
	private final NodeFixture fixture = new NodeFixture().lookSooner();

	@Test
	void serversThatAreBusyWithAScriptAreNotReadyUntilItHasEnded() {
		List<RedisProcess> servers = List.of(server(), server(), server());
		List<LockNode> nodes = new ArrayList<>();
		servers.forEach((server) -> nodes.add(lettuce(server.port())));
		nodes.forEach((node) -> await(node, State.READY));
		Redlock redlock = this.fixture.redlock(nodes, Duration.ofSeconds(60));
		redlock.attemptAndWait(LockRequest.of("r")).orThrow().close();
		servers.forEach(this::keepBusy);
		await(() -> {
			redlock.attemptAndWait(LockRequest.of("r"));
			return nodes.stream().noneMatch((node) -> node.status().state() == State.READY);
		});
		assertThat(redlock.quorum().isReached()).isFalse();
		assertThat(nodes).allSatisfy((node) -> assertThat(node.status().reason()).contains("BUSY"));
		LockAttempt refused = redlock.attemptAndWait(LockRequest.of("r"));
		assertThat(refused.failure()).get().extracting((failure) -> failure.reason()).isEqualTo(Reason.NO_QUORUM);
		servers.forEach((server) -> server.ask((commands) -> commands.scriptKill()));
		nodes.forEach((node) -> await(node, State.READY));
		redlock.attemptAndWait(LockRequest.of("r")).orThrow().close();
	}

	@ParameterizedTest(name = "{0}: {1}")
	@CsvSource(delimiter = '|', value = { "UNFIT | ERR the backend is out of quota", "UNAVAILABLE | TRYAGAIN Later" })
	void aServerThatAnswersEachClaimWithAnErrorIsNotReadyUntilItAnswersAgain(State state, String error) {
		EditingProxy proxy = this.fixture.proxy(server());
		LockNode node = await(lettuce(proxy.port()), State.READY);
		assertThat(grab(node, "k1")).isInstanceOf(Granted.class);
		proxy.refuse((command) -> command.get(0).equals("EVALSHA"), error);
		assertThat(grab(node, "k2")).isInstanceOf(Faulted.class);
		await(node, state);
		assertThat(node.status().reason()).contains(error);
		assertThat(((Faulted) grab(node, "k3")).detail()).contains(error).containsIgnoringCase("not ");
		proxy.passAll();
		await(node, State.READY);
		assertThat(grab(node, "k4")).isInstanceOf(Granted.class);
	}

	/** The next answer could be taken for the answer to another command. */
	@Test
	void anAnswerThatCannotBeReadEndsTheConnection() {
		EditingProxy proxy = this.fixture.proxy(server());
		LockNode node = await(lettuce(proxy.port()), State.READY);
		proxy.edit((command) -> command.contains("k1"), (reply) -> ",1.5\r\n");
		assertThat(((Faulted) grab(node, "k1")).mayHaveRun()).isTrue();
		await(() -> proxy.commands().stream().filter((command) -> command.get(0).equals("HELLO")).count() == 2);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "*1,:10 | numbers 10, 0 and 0", "*4,:10,:0,:0,$1,x | numbers 10, 0 and 0, and a text",
					"*1,:1 | numbers 1, 0 and 0", "*3,:99,:1,:2 | numbers 99, 1 and 2",
					"+OK | numbers 0, 0 and 0, and a text", "_ | numbers 0, 0 and 0", "*3,:3,,1.5,:0 | double",
					"HTTP/1.1 400 | first byte: 72 (H)" })
	void anAnswerThatIsNoneOfTheScriptsIsAFaultThatSaysWhatCame(String answer, String came) {
		EditingProxy proxy = this.fixture.proxy(server());
		LockNode node = await(lettuce(proxy.port()), State.READY);
		proxy.edit((command) -> command.contains("k1"), (reply) -> answer.replaceAll(",(?=[*:$_x,])", "\r\n") + "\r\n");
		Faulted fault = (Faulted) grab(node, "k1");
		assertThat(fault.detail()).contains(came);
		assertThat(fault.mayHaveRun()).isTrue();
		await(node, State.READY);
		assertThat(this.log.list).filteredOn((line) -> line.getLevel() == Level.WARN)
			.singleElement()
			.satisfies((line) -> assertThat(line.getFormattedMessage()).contains("is unavailable").contains(came));
	}

	@Test
	void aServerWhoseAnswersCannotBeReadDoesNotBecomeReady() {
		EditingProxy proxy = this.fixture.proxy(server());
		proxy.edit((command) -> command.get(0).equals("EVALSHA"), (reply) -> "+OK\r\n");
		LockNode node = await(lettuce(proxy.port()), State.UNAVAILABLE);
		await(() -> proxy.commands().stream().filter((command) -> command.get(0).equals("HELLO")).count() > 2);
		assertThat(node.status().state()).isNotEqualTo(State.READY);
		assertThat(this.log.list).filteredOn((line) -> line.getLevel() == Level.WARN)
			.singleElement()
			.satisfies((line) -> assertThat(line.getFormattedMessage()).contains("0, 0 and 0, and a text"));
		proxy.passAll();
		await(node, State.READY);
	}

	@Test
	void aMemberOfAClusterThatIsConfiguredAsASingleServerIsUnfit() {
		RedisProcess server = this.fixture.server("--cluster-enabled", "yes");
		server.takeAllSlots();
		LockNode node = await(lettuce(server.port()), State.UNFIT);
		assertThat(node.status().reason()).startsWith("The server is a member of a Redis Cluster: use cluster.nodes.");
	}

	private Vote grab(LockNode node, String key) {
		return vote(node.acquire(claim(key, "t"), this.fixture.fence()));
	}

	private RedisProcess server() {
		return this.fixture.server("--busy-reply-threshold", "50");
	}

	/**
	 * Runs a script until it is killed.
	 */
	private void keepBusy(RedisProcess server) {
		CompletableFuture.runAsync(() -> server.command("EVAL", "while true do end", "0"), this.fixture.executor);
		Awaitility.await().atMost(NodeFixture.BOUND).ignoreExceptions().until(() -> {
			try {
				server.ask((commands) -> commands.ping());
				return false;
			}
			catch (RuntimeException ex) {
				return String.valueOf(ex.getMessage()).contains("BUSY");
			}
		});
	}

	private LockNode lettuce(int port) {
		return this.fixture.lettuce("l" + port, RedisURI.create("127.0.0.1", port), GUARDED);
	}

}

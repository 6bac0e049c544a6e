package dev.redlock.lettuce;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Refused;
import dev.redlock.spi.Watch;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.SlotHash;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static dev.redlock.lettuce.NodeFixture.await;
import static dev.redlock.lettuce.NodeFixture.awaitAsserted;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Commands that are under way behind a subscription that the server refuses.
 */
@ExtendWith(OutputCaptureExtension.class)
class SubscriptionAnswersTests {

	private static final String PREFIX = "redlock:";

	private static final NodeSettings SETTINGS = NodeFixture.settings(PREFIX, Duration.ofSeconds(60), false);

	private static final int COMMANDS = 500;

	@AutoClose
	private final NodeFixture fixture = new NodeFixture();

	private RedisProcess redis;

	@Test
	void eachCommandBehindARefusedSubscriptionGetsItsOwnAnswer(CapturedOutput output) {
		this.redis = this.fixture.server();
		RedisLockNode node = subscribed(LeastUser.make(this.redis, PREFIX));
		this.redis.command("ACL", "SETUSER", LeastUser.NAME, "-subscribe", "-unsubscribe");
		List<Vote> votes = inspectBehindWatch(node);
		for (int i = 0; i < COMMANDS; i++) {
			assertThat(votes.get(i)).isInstanceOf(Refused.class);
			assertOwn(votes.get(i), i);
		}
		assertThat(output).contains("Redlock node 'node' does not announce releases to this client. The server did "
				+ "not confirm SUBSCRIBE: it is older than Redis 7.0.10, or the Redis user lacks +subscribe or "
				+ "&redlock:*. Locks stay safe, but requests that wait for a lock poll Redis");
	}

	@ParameterizedTest
	@ValueSource(strings = { "-client|reply", "-client|reply -subscribe" })
	void noCommandGetsTheAnswerOfAnotherIfTheRightToDropRepliesIsLost(String lost, CapturedOutput output) {
		this.redis = this.fixture.server();
		assertEndsConnection(LeastUser.make(this.redis, PREFIX), lost, output);
	}

	@Test
	void noCommandGetsTheAnswerOfAnotherIfSeveralEncryptedAnswersAreReadAtOnce(@TempDir Path directory,
			CapturedOutput output) {
		Certificates certificates = new Certificates(directory, "authority").issue("server", "ip:127.0.0.1");
		this.redis = this.fixture
			.closing(EncryptedRedis.start(certificates.certificate("server"), certificates.key("server")));
		RedisURI uri = LeastUser.make(this.redis, PREFIX);
		uri.setSsl(true);
		uri.setVerifyPeer(false);
		assertEndsConnection(uri, "-client|reply -subscribe", output);
	}

	@Test
	void eachCommandOfAClusterBehindAnSsubscribeForAMovedSlotGetsItsOwnAnswer() {
		this.redis = this.fixture.server("--cluster-enabled", "yes", "--cluster-require-full-coverage", "no");
		RedisProcess other = this.fixture.server("--cluster-enabled", "yes", "--cluster-require-full-coverage", "no");
		this.redis.takeAllSlots();
		other.ask((commands) -> commands.clusterMeet("127.0.0.1", this.redis.port()));
		String id = other.ask((commands) -> commands.clusterMyId());
		await(() -> this.redis.<String>ask((commands) -> commands.clusterNodes()).contains(id));
		RedisURI uri = this.redis.uri();
		uri.setTimeout(Duration.ofSeconds(2));
		RedisLockNode node = await(this.fixture.cluster("node", uri, SETTINGS), State.READY);
		await(node.watch(PREFIX + "first", NodeFixture.IGNORING)::isListening);
		this.redis.ask((commands) -> commands.clusterSetSlotNode(SlotHash.getSlot(PREFIX + "stock"), id));
		List<Vote> votes = inspectBehindWatch(node);
		for (int i = 0; i < COMMANDS; i++) {
			assertThat(votes.get(i)).isInstanceOf(Refused.class);
			assertOwn(votes.get(i), i);
		}
	}

	@Test
	void noCommandGetsTheAnswerOfAnotherBehindAProxyThatAnswersWhatShouldBeDropped(CapturedOutput output) {
		this.redis = this.fixture.server();
		EditingProxy proxy = this.fixture.proxy(this.redis)
			.accept((command) -> command.equals(List.of("CLIENT", "REPLY", "SKIP")));
		RedisLockNode node = await(this.fixture.lettuce("node", proxy.uri(), SETTINGS), State.READY);
		assertOwnOrLost(inspectBehindWatch(node));
		await(node, State.READY);
		node.watch(PREFIX + "shelf", NodeFixture.IGNORING).close();
		assertOwn(inspectBehindWatch(node).get(0), 0);
		assertThat(proxy.commands().stream().filter((command) -> command.get(0).equals("SUBSCRIBE"))).hasSize(1);
		assertThat(output).contains("Redlock node 'node' does not announce releases to this client. The server, or a "
				+ "proxy in front of it, answers CLIENT REPLY SKIP. Locks stay safe");
	}

	private void assertEndsConnection(RedisURI uri, String lost, CapturedOutput output) {
		RedisLockNode node = subscribed(uri);
		List<String> rights = new ArrayList<>(List.of("ACL", "SETUSER", LeastUser.NAME));
		rights.addAll(List.of(lost.split(" ")));
		this.redis.command(rights.toArray(String[]::new));
		assertOwnOrLost(inspectBehindWatch(node));
		await(node, State.READY);
		awaitAsserted(() -> assertThat(output).containsPattern("Redlock node 'node' does not announce releases to this "
				+ "client. Redis said: NOPERM .*'client\\|reply' command: add \\+client\\|reply to the ACL"));
		assertOwn(inspectBehindWatch(node).get(0), 0);
	}

	private RedisLockNode subscribed(RedisURI uri) {
		RedisLockNode node = await(this.fixture.lettuce("node", uri, SETTINGS), State.READY);
		Watch watch = node.watch(PREFIX + "first", NodeFixture.IGNORING);
		await(watch::isListening);
		return node;
	}

	/**
	 * Subscribes, and asks for the holders of 500 locks in the same turn of the loop.
	 */
	private List<Vote> inspectBehindWatch(RedisLockNode node) {
		Map<String, String> owners = IntStream.range(0, COMMANDS)
			.boxed()
			.collect(Collectors.toMap(SubscriptionAnswersTests::key, (i) -> "owner" + i));
		this.redis.ask((commands) -> commands.mset(owners));
		List<CompletionStage<Vote>> asked = CompletableFuture.supplyAsync(() -> {
			node.watch(PREFIX + "stock", NodeFixture.IGNORING);
			List<CompletionStage<Vote>> stages = new ArrayList<>();
			for (int i = 0; i < COMMANDS; i++) {
				stages.add(node.inspect(key(i)));
			}
			return stages;
		}, this.fixture.loop).join();
		return asked.stream().map(NodeFixture::vote).toList();
	}

	private static void assertOwnOrLost(List<Vote> votes) {
		for (int i = 0; i < COMMANDS; i++) {
			if (!(votes.get(i) instanceof Faulted faulted && faulted.mayHaveRun())) {
				assertOwn(votes.get(i), i);
			}
		}
	}

	private static String key(int number) {
		return PREFIX + "{first}" + number;
	}

	private static void assertOwn(Vote vote, int number) {
		assertThat(((Refused) vote).ownerHash()).isEqualTo(Refused.heldBy("owner" + number, null).ownerHash());
	}

}

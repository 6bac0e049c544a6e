package dev.redlock.lettuce;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.lettuce.internal.script.Marker;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote.Granted;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static dev.redlock.lettuce.NodeFixture.await;
import static dev.redlock.lettuce.NodeFixture.claim;
import static dev.redlock.lettuce.NodeFixture.settings;
import static dev.redlock.lettuce.NodeFixture.vote;
import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class SettingsComparisonTests {

	private static final Duration MAX_TTL = Duration.ofMillis(100);

	private static final Duration PERIOD = Duration.ofMillis(150);

	private Duration period = PERIOD;

	private final List<RedisProcess> servers = new ArrayList<>();

	private final List<NodeFixture> clients = new ArrayList<>();

	private final List<SettingsComparison> comparisons = new ArrayList<>();

	@BeforeEach
	void setUp() {
		for (int i = 0; i < 4; i++) {
			this.servers.add(RedisProcess.start());
		}
	}

	@AfterEach
	void tearDown() {
		this.comparisons.forEach(SettingsComparison::close);
		this.clients.forEach(NodeFixture::close);
		this.servers.forEach(RedisProcess::close);
	}

	@Test
	void clientsWithTheSameNodesAreNotWarnedWhateverTheyCallThem() {
		SettingsComparison first = client("a", settings(true, MAX_TTL), 0, 1, 2);
		awaitAnnounced(0, "a");
		SettingsComparison second = client("b", settings(true, MAX_TTL), 2, 1, 0);
		awaitAnnounced(0, "b");
		awaitRounds(3);
		assertThat(first.problem()).isNull();
		assertThat(second.problem()).isNull();
	}

	@Test
	void clientsWithOtherNodesAreBothToldOnceAndStillLock(CapturedOutput output) {
		SettingsComparison first = client("a", settings(true, MAX_TTL), 0, 1, 2);
		awaitAnnounced(0, "a");
		SettingsComparison second = client("b", settings(true, MAX_TTL), 0, 1, 2, 3);
		awaitProblem(first);
		awaitProblem(second);
		assertThat(second.problem()).contains("'a', last seen 0 s ago, uses 3 nodes")
			.contains("This client uses 4 nodes, of which 3 are the same")
			.contains("Locks are safe while one node is added");
		assertThat(first.problem()).contains("'b', last seen 0 s ago, uses 4 nodes")
			.contains("This client uses 3 nodes, of which 3 are the same");
		awaitAnnounced(3, "b");
		assertThat(output.getOut().split("Another client has other settings", -1)).hasSize(3);
		NodeFixture client = this.clients.get(1);
		// The small max-ttl lets a fence be 50 ms old at most, which a loaded machine
		// exceeds.
		await(() -> vote(client.nodes().get(0).acquire(claim("k", "t"), client.fence())) instanceof Granted);
	}

	@Test
	void aClientWithOtherNodesIsToldAtItsFirstConnection() {
		this.period = Duration.ofHours(1);
		NodeFixture before = new NodeFixture();
		this.clients.add(before);
		await(before.lettuce("known", this.servers.get(3).uri(), settings(true, MAX_TTL)), State.READY);
		client("a", settings(true, MAX_TTL), 0, 1, 2);
		awaitAnnounced(2, "a");
		SettingsComparison second = client("b", settings(true, MAX_TTL), 0, 1, 3);
		awaitProblem(second);
		assertThat(second.problem()).contains("Both clients may hold the same lock");
	}

	@Test
	void theWarningEndsWhenTheOtherClientIsGone() {
		SettingsComparison first = client("a", settings(true, MAX_TTL), 0, 1, 2);
		awaitAnnounced(0, "a");
		SettingsComparison second = client("b", settings(true, MAX_TTL), 0, 1, 3);
		awaitProblem(first);
		assertThat(first.problem()).contains("Both clients may hold the same lock");
		second.close();
		await(() -> first.problem() == null);
		awaitAnnounced(0, "a");
	}

	@Test
	void theWarningSaysHowLongAgoTheOtherClientWasSeenWhenItIsRead() {
		this.period = Duration.ofHours(1);
		client("a", settings(true, MAX_TTL), 0, 1, 2);
		IntStream.of(0, 1, 2).forEach((server) -> awaitAnnounced(server, "a"));
		SettingsComparison second = client("b", settings(true, MAX_TTL), 0, 1, 2, 3);
		awaitProblem(second);
		String first = second.problem();
		await(() -> !first.equals(second.problem()));
		assertThat(second.problem()).contains("'a', last seen ");
	}

	@Test
	void aClientIsNotWarnedOfItsOwnFormerRun(CapturedOutput output) {
		this.period = Duration.ofSeconds(1);
		SettingsComparison former = client("a", settings(true, MAX_TTL), 0);
		awaitAnnounced(0, "a");
		former.close();
		SettingsComparison now = client("a", settings(true, MAX_TTL), 0, 1, 2);
		awaitAnnounced(2, "a");
		awaitRounds(1);
		assertThat(now.problem()).isNull();
		assertThat(output).doesNotContain("Another client has other settings");
	}

	@Test
	void anotherMaxTtlIsToldToo() {
		this.period = Duration.ofSeconds(5);
		client("a", settings(true, MAX_TTL), 0, 1, 2);
		IntStream.of(0, 1, 2).forEach((server) -> awaitAnnounced(server, "a"));
		SettingsComparison second = client("b", settings(true, MAX_TTL.multipliedBy(2)), 0, 1, 2);
		awaitProblem(second);
		assertThat(second.problem()).contains("max-ttl of 200 ms").contains("max-ttl of 100 ms");
		assertThat(second.problem()).contains("same redlock.max-ttl").doesNotContain("redlock.instances");
	}

	@Test
	void aServerThatWasFlushedIsNoticedWhereNobodyLocksAndIsNoOtherClient() {
		SettingsComparison first = client("a", settings(true, MAX_TTL), 0, 1, 2);
		SettingsComparison second = client("b", settings(true, MAX_TTL), 0, 1, 2);
		awaitAnnounced(1, "b");
		String before = marker(1);
		this.servers.get(1).ask((redis) -> redis.flushall());
		await(() -> marker(1) != null && !marker(1).equals(before));
		awaitRounds(3);
		assertThat(first.problem()).isNull();
		assertThat(second.problem()).isNull();
	}

	@Test
	void whatAnotherProgramWroteIsReadWithoutHarm() {
		for (String text : new String[] { "", " ", "nonsense", "99999999999999999 a 1 1 b", "1 x", "6 x=y 3" }) {
			this.servers.get(0)
				.ask((redis) -> redis.set(Marker.clientsKey(""), System.currentTimeMillis() + " " + text));
			SettingsComparison membership = client("a", settings(true, MAX_TTL), 0);
			awaitAnnounced(0, "a");
			assertThat(membership.problem()).isNull();
			membership.close();
		}
	}

	private SettingsComparison client(String name, NodeSettings settings, int... servers) {
		NodeFixture client = new NodeFixture();
		this.clients.add(client);
		List<RedisLockNode> nodes = new ArrayList<>();
		for (int server : servers) {
			nodes.add(client.lettuce(name + server, this.servers.get(server).uri(), settings));
		}
		nodes.forEach((node) -> node.firstVerdict().orTimeout(15, TimeUnit.SECONDS).join());
		return start(name, nodes, settings, client);
	}

	private SettingsComparison start(String name, List<RedisLockNode> nodes, NodeSettings settings,
			NodeFixture client) {
		SettingsComparison membership = new SettingsComparison(nodes, name, settings, client.loop, this.period);
		this.comparisons.add(membership);
		client.loop.execute(membership::compareRepeatedly);
		return membership;
	}

	private static void awaitProblem(SettingsComparison membership) {
		await(() -> membership.problem() != null);
	}

	/**
	 * Some renewals of a list, as each says until when it lasts.
	 */
	private void awaitRounds(int rounds) {
		Set<String> texts = new HashSet<>();
		Awaitility.await()
			.atMost(NodeFixture.BOUND)
			.pollInterval(Duration.ofMillis(5))
			.until(() -> texts.add(this.servers.get(0).<String>ask((redis) -> redis.get(Marker.clientsKey(""))))
					&& texts.size() > 2 * rounds);
	}

	private void awaitAnnounced(int server, String part) {
		Awaitility.await()
			.atMost(NodeFixture.BOUND)
			.pollInterval(Duration.ofMillis(5))
			.until(() -> String
				.valueOf(this.servers.get(server).<String>ask((redis) -> redis.get(Marker.clientsKey(""))))
				.contains(" " + part));
	}

	private String marker(int server) {
		return this.servers.get(server).ask((redis) -> redis.get(Marker.key("")));
	}

}

package dev.redlock.lettuce;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.redlock.lettuce.internal.facts.AclRules;
import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.ReleaseListener;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import dev.redlock.spi.Watch;
import io.lettuce.core.RedisURI;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static dev.redlock.lettuce.NodeFixture.await;
import static dev.redlock.lettuce.NodeFixture.awaitAsserted;
import static dev.redlock.lettuce.NodeFixture.claim;
import static dev.redlock.lettuce.NodeFixture.vote;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the check at start says to a user who lacks a right.
 */
@ExtendWith(OutputCaptureExtension.class)
class LeastUserTests {

	private static final String PREFIX = "redlock:";

	private static final NodeSettings SETTINGS = NodeFixture.fresh(PREFIX, Duration.ofSeconds(60));

	private static final Set<String> TOLD_AS_WARNING = Set.of("+client|id", "+client|kill", "+pubsub|numsub",
			"+publish", "&redlock:*");

	private static final Set<String> TOLD_TO_WHO_WAITS = Set.of("+client|reply", "+subscribe", "+unsubscribe");

	private static RedisProcess redis;

	@AutoClose
	private final NodeFixture fixture = new NodeFixture();

	@BeforeAll
	static void start() {
		redis = RedisProcess.start();
	}

	@AfterAll
	static void stop() {
		redis.close();
	}

	@AfterEach
	void tearDown() {
		redis.command("ACL", "DELUSER", LeastUser.NAME);
	}

	static Stream<String> needed() {
		return LeastUser.rights()
			.stream()
			.filter((right) -> !TOLD_AS_WARNING.contains(right) && !TOLD_TO_WHO_WAITS.contains(right));
	}

	@Test
	void theDocumentedLineHasTheRightsThatMessagesName() {
		assertThat(String.join(" ", LeastUser.rights())).isEqualTo(AclRules.of(PREFIX, false));
	}

	@ParameterizedTest(name = "without {0}")
	@MethodSource("needed")
	void aNodeWhoseUserLacksWhatLocksNeedIsUnfitAndSaysWhatToAdd(String lacking, CapturedOutput output) {
		LockNode node = await(this.fixture.lettuce("poor", without(lacking), SETTINGS), State.UNFIT);
		assertThat(node.status().reason()).startsWith("The Redis user lacks a right. Redis said: ")
			.endsWith(". The ACL of the Redis user needs all of: " + AclRules.of(PREFIX, false));
		Faulted faulted = (Faulted) vote(node.acquire(claim("redlock:k", "t"), this.fixture.fence()));
		assertThat(faulted.fault()).isEqualTo(Fault.MISCONFIGURED);
		assertThat(faulted.detail()).endsWith(node.status().reason());
		awaitAsserted(() -> assertThat(output).contains("Redlock node 'poor' is not fit for locks")
			.contains(node.status().reason()));
	}

	@ParameterizedTest(name = "without {0}")
	@FieldSource("TOLD_AS_WARNING")
	void aNodeWhoseUserLacksTheRestVotesAndSaysWhatToAdd(String lacking, CapturedOutput output) {
		LockNode node = await(this.fixture.lettuce("poor", without(lacking), SETTINGS), State.READY);
		awaitAsserted(() -> assertThat(output)
			.containsPattern("WARN.*[Rr]edlock node 'poor' cannot .*Redis said: .*Locks stay safe"));
		assertThat(output).contains(lacking);
		assertThat(vote(node.acquire(claim("redlock:k", "t"), this.fixture.fence()))).isInstanceOf(Granted.class);
		assertThat(vote(node.release(claim("redlock:k", "t"), Duration.ZERO, true))).isInstanceOf(Granted.class);
	}

	@Test
	void aUserThatMayNotDropRepliesIsToldWhenARequestWaits(CapturedOutput output) {
		LockNode node = await(this.fixture.lettuce("poor", without("+client|reply"), SETTINGS), State.READY);
		watch(node, "redlock:k", new CountDownLatch(1), new CompletableFuture<>());
		awaitAsserted(() -> assertThat(output).containsPattern(
				"WARN.*Redlock node 'poor' does not announce releases to this client.*: add \\+client\\|reply "));
	}

	@Test
	void aUserThatMayNotSubscribeIsToldWhenARequestWaits(CapturedOutput output) {
		LockNode node = await(this.fixture.lettuce("poor", without("+subscribe"), SETTINGS), State.READY);
		watch(node, "redlock:k", new CountDownLatch(1), new CompletableFuture<>());
		awaitAsserted(() -> assertThat(output).containsPattern(
				"WARN.*Redlock node 'poor' does not announce releases to this client.* the Redis user lacks \\+subscribe or "));
	}

	@Test
	void onAClusterTheDocumentedReplacementsAreEnough(CapturedOutput output) {
		RedisProcess cluster = this.fixture.server("--cluster-enabled", "yes");
		cluster.takeAllSlots();
		RedisURI uri = LeastUser.make(cluster, PREFIX, (right) -> !right.matches("\\+pubsub.*|.*publish|.*subscribe"));
		cluster.command(Stream
			.concat(Stream.of("ACL", "SETUSER", LeastUser.NAME), Stream.of(AclRules.of(PREFIX, true).split(" ")))
			.toArray(String[]::new));
		uri.setTimeout(Duration.ofSeconds(2));
		LockNode node = await(this.fixture.cluster("cluster", uri, SETTINGS), State.READY);
		assertThat(vote(node.acquire(claim("redlock:k", "t"), this.fixture.fence()))).isInstanceOf(Granted.class);
		CompletableFuture<String> told = listen(node, "redlock:k");
		assertThat(vote(node.release(claim("redlock:k", "t"), Duration.ZERO, true))).isInstanceOf(Granted.class);
		assertThat(told).succeedsWithin(10, TimeUnit.SECONDS);
		assertThat(output).doesNotContain("ACL rules").doesNotContain("NOPERM");
	}

	@Test
	void aPrefixWithCharactersOfPatternsStandsForItself() {
		assertThat(AclRules.of("a*[b]?\\", false)).contains(" ~a\\*\\[b\\]\\?\\\\* ");
	}

	private static RedisURI without(String right) {
		return LeastUser.make(redis, PREFIX, (candidate) -> !candidate.equals(right));
	}

	/**
	 * Listens, and is done when a release was told.
	 */
	private static CompletableFuture<String> listen(LockNode node, String key) {
		CountDownLatch listening = new CountDownLatch(1);
		CompletableFuture<String> told = new CompletableFuture<>();
		Watch watch = watch(node, key, listening, told);
		await(() -> listening.getCount() == 0);
		told.whenComplete((release, failure) -> watch.close());
		return told;
	}

	private static Watch watch(LockNode node, String key, CountDownLatch listening, CompletableFuture<String> told) {
		return node.watch(key, new ReleaseListener() {

			@Override
			public void listening() {
				listening.countDown();
			}

			@Override
			public void released(String release, int listeners) {
				told.complete(release);
			}

		});
	}

}

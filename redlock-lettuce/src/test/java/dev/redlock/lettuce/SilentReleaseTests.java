package dev.redlock.lettuce;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.redlock.Lease;
import dev.redlock.LockAttempt;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.RedlockSettings;
import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import io.lettuce.core.RedisURI;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.redlock.lettuce.NodeFixture.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A request polls while no announcement can tell it of a release: the holder's user may
 * not announce it, or its own user no longer hears of it.
 */
class SilentReleaseTests {

	private static final String PREFIX = "redlock:";

	private static final NodeSettings SETTINGS = NodeFixture.settings(PREFIX, Duration.ofSeconds(60), false);

	private static final LockRequest STOCK = LockRequest.of("stock")
		.withTtl(Duration.ofSeconds(60))
		.withWaitFor(Duration.ofSeconds(55))
		.withRetryDelay(Duration.ofMillis(10));

	/**
	 * More scripts than a request runs that waits for announcements, before the wait for
	 * a condition ends. Such a request asks every few seconds.
	 */
	private static final int MANY_SCRIPTS = 30;

	private static final Pattern SCRIPTS = Pattern.compile("cmdstat_evalsha:calls=(\\d+)");

	private static RedisProcess redis;

	@AutoClose
	private final NodeFixture holders = new NodeFixture();

	@AutoClose
	private final NodeFixture waiters = new NodeFixture();

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
		redis.command("FLUSHALL");
	}

	@ParameterizedTest(name = "without {0}")
	@ValueSource(strings = { "+publish", "+pubsub|numsub", "&redlock:*" })
	void aRequestPollsWhileTheUserOfTheHolderMayNotAnnounceItsRelease(String lacking) {
		RedisURI silent = LeastUser.make(redis, PREFIX, (right) -> !right.equals(lacking));
		Lease held = acquire(process(this.holders, silent, "silent"));
		CompletableFuture<LockAttempt> waiter = attempt(process(this.waiters, redis.uri(), "waiter"));
		awaitSubscribers(1);
		assertPolls();
		held.close();
		assertThat(waiter).succeedsWithin(NodeFixture.BOUND);
		assertThat(waiter.join().lease()).isPresent();
	}

	@ParameterizedTest
	@ValueSource(strings = { "-publish", "resetchannels" })
	void aHolderThatCouldNotAnnounceAReleaseSaysSoFromItsNextLeaseOn(String lost) {
		Redlock holder = process(this.holders, LeastUser.make(redis, PREFIX), "holder");
		Redlock other = process(this.waiters, redis.uri(), "waiter");
		Lease first = acquire(holder);
		CompletableFuture<LockAttempt> sleeper = attempt(other);
		awaitSubscribers(1);
		redis.command("ACL", "SETUSER", LeastUser.NAME, lost);
		first.close();
		LockNode node = this.holders.nodes().get(0);
		await(() -> !node.announces());
		sleeper.cancel(false);
		Lease second = acquire(holder);
		CompletableFuture<LockAttempt> waiter = attempt(other);
		awaitSubscribers(1);
		assertPolls();
		second.close();
		assertThat(waiter).succeedsWithin(NodeFixture.BOUND);
		assertThat(waiter.join().lease()).isPresent();
	}

	@Test
	void aRequestThatLosesItsSubscriptionForGoodPolls() {
		Lease held = acquire(process(this.holders, redis.uri(), "holder"));
		CompletableFuture<LockAttempt> waiter = attempt(process(this.waiters, LeastUser.make(redis, PREFIX), "waiter"));
		awaitSubscribers(1);
		redis.command("ACL", "SETUSER", LeastUser.NAME, "-subscribe");
		redis.command("CLIENT", "KILL", "TYPE", "pubsub");
		awaitSubscribers(0);
		assertPolls();
		held.close();
		assertThat(waiter).succeedsWithin(NodeFixture.BOUND);
		assertThat(waiter.join().lease()).isPresent();
	}

	private static void assertPolls() {
		long before = scripts();
		await(() -> scripts() - before > MANY_SCRIPTS);
	}

	private static long scripts() {
		Matcher calls = SCRIPTS.matcher(redis.ask((commands) -> commands.info("commandstats")));
		return calls.find() ? Long.parseLong(calls.group(1)) : 0;
	}

	private static void awaitSubscribers(long count) {
		String channel = PREFIX + "stock";
		await(() -> redis.ask((commands) -> commands.pubsubNumsub(channel)).get(channel) == count);
	}

	private static Lease acquire(Redlock process) {
		return attempt(process).join().orThrow();
	}

	private static CompletableFuture<LockAttempt> attempt(Redlock process) {
		return process.attempt(STOCK).toCompletableFuture();
	}

	private static Redlock process(NodeFixture fixture, RedisURI uri, String owner) {
		RedisLockNode node = NodeFixture.await(fixture.lettuce("node", uri, SETTINGS), State.READY);
		return NodeFixture.redlock(List.of(node),
				RedlockSettings.builder().owner(owner).keyPrefix(PREFIX).maxTtl(Duration.ofSeconds(60)).build(),
				fixture.loop, fixture.ticker);
	}

}

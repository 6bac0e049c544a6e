package dev.redlock.lettuce;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.redlock.Lease;
import dev.redlock.LockAttempt;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.RedlockSettings;
import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.ReleaseListener;
import dev.redlock.spi.Watch;
import io.lettuce.core.RedisURI;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static dev.redlock.lettuce.NodeFixture.await;
import static dev.redlock.lettuce.NodeFixture.awaitAsserted;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A process has one connection to each server. It carries the commands, and the
 * announcements to who waits.
 */
@ExtendWith(OutputCaptureExtension.class)
class OneConnectionTests {

	private static final String PREFIX = "redlock:";

	private static final NodeSettings SETTINGS = NodeFixture.settings(PREFIX, Duration.ofSeconds(60), false);

	/** A request that no announcement wakes sleeps longer than {@link #SOON}. */
	private static final Duration SLEEP = Duration.ofMinutes(1);

	private static final Duration SOON = Duration.ofSeconds(8);

	@AutoClose
	private final NodeFixture holders = new NodeFixture();

	@AutoClose
	private final NodeFixture waiters = new NodeFixture();

	private RedisProcess redis;

	@Test
	void aWaitingProcessHasOneConnectionAndIsWokenOverIt() {
		this.redis = this.holders.server();
		Lease held = acquire(process(this.holders, this.redis.uri(), SLEEP), "stock");
		CompletableFuture<LockAttempt> waiter = attempt(waiter(), "stock");
		awaitSubscribers(1);
		assertThat(connections()).hasSize(1);
		held.close();
		assertThat(waiter).succeedsWithin(SOON);
		assertThat(waiter.join().lease()).isPresent();
	}

	@Test
	void aKeyWhoseConnectionWasKilledIsSubscribedToAgain() {
		this.redis = this.holders.server();
		RedisLockNode node = await(this.waiters.lettuce("node", LeastUser.make(this.redis, PREFIX), SETTINGS),
				State.READY);
		CompletableFuture<String> told = new CompletableFuture<>();
		Watch watch = node.watch(PREFIX + "stock", new ReleaseListener() {

			@Override
			public void listening() {
			}

			@Override
			public void released(String release, int listeners) {
				told.complete(release);
			}

		});
		awaitSubscribers(1);
		List<String> before = connections();
		this.redis.command("CLIENT", "KILL", "USER", LeastUser.NAME);
		awaitAsserted(() -> assertThat(connections()).hasSize(1).doesNotContainAnyElementsOf(before));
		await(watch::isListening);
		acquire(process(this.holders, this.redis.uri(), SLEEP), "stock").close();
		assertThat(told).succeedsWithin(SOON);
	}

	@Test
	void aWaiterPollsAndSaysSoOnceIfTheServerDoesNotSpeakResp3(CapturedOutput output) {
		this.redis = this.holders.server("--rename-command", "HELLO", "");
		Redlock holder = process(this.holders, this.redis.uri(), SLEEP);
		Redlock waiter = process(this.waiters, this.redis.uri(), Duration.ofMillis(100));
		for (String name : List.of("stock", "shelf")) {
			Lease held = acquire(holder, name);
			CompletableFuture<LockAttempt> waiting = attempt(waiter, name);
			awaitAsserted(() -> assertThat(output).contains("Redlock node 'node' does not announce releases to "
					+ "this client. The server, or a proxy in front of it, does not speak RESP3 (HELLO 3). Locks "
					+ "stay safe, but requests that wait for a lock poll Redis"));
			held.close();
			assertThat(waiting).succeedsWithin(SOON);
			waiting.join().orThrow().close();
		}
		assertThat(output.toString().split("does not announce")).hasSize(2);
	}

	@Test
	void aClusterHasOneToEachMasterBesideThatOfLettuce() {
		this.redis = this.holders.server("--cluster-enabled", "yes");
		this.redis.takeAllSlots();
		this.redis.command("ACL", "SETUSER", LeastUser.NAME, "on", ">" + LeastUser.PASSWORD, "+@all", "~*", "&*");
		RedisURI uri = LeastUser.uri(this.redis);
		uri.setTimeout(Duration.ofSeconds(2));
		RedisLockNode node = await(this.waiters.cluster("cluster", uri, SETTINGS), State.READY);
		Redlock waiter = redlock(this.waiters, node, SLEEP);
		Lease held = acquire(waiter, "stock");
		CompletableFuture<LockAttempt> waiting = attempt(redlock(this.waiters, node, SLEEP), "stock");
		String channel = PREFIX + "stock";
		await(() -> this.redis.ask((commands) -> commands.pubsubShardNumsub(channel)).get(channel) == 1);
		assertThat(connections()).hasSize(2);
		held.close();
		assertThat(waiting).succeedsWithin(SOON);
	}

	/** The ids of the connections of the process that waits. */
	private List<String> connections() {
		return this.redis.<String>ask((commands) -> commands.clientList())
			.lines()
			.filter((line) -> line.contains(" user=" + LeastUser.NAME + " "))
			.map((line) -> line.replaceFirst(" .*", ""))
			.toList();
	}

	private void awaitSubscribers(long count) {
		String channel = PREFIX + "stock";
		await(() -> this.redis.ask((commands) -> commands.pubsubNumsub(channel)).get(channel) == count);
	}

	private Redlock waiter() {
		return process(this.waiters, LeastUser.make(this.redis, PREFIX), SLEEP);
	}

	private static Lease acquire(Redlock process, String name) {
		return attempt(process, name).join().orThrow();
	}

	private static CompletableFuture<LockAttempt> attempt(Redlock process, String name) {
		return process.attempt(LockRequest.of(name).withTtl(Duration.ofSeconds(60)).withWaitFor(Duration.ofSeconds(55)))
			.toCompletableFuture();
	}

	private static Redlock process(NodeFixture fixture, RedisURI uri, Duration retryDelay) {
		return redlock(fixture, await(fixture.lettuce("node", uri, SETTINGS), State.READY), retryDelay);
	}

	private static Redlock redlock(NodeFixture fixture, RedisLockNode node, Duration retryDelay) {
		RedlockSettings settings = RedlockSettings.builder()
			.keyPrefix(PREFIX)
			.maxTtl(Duration.ofSeconds(60))
			.retryDelay(retryDelay)
			.build();
		return NodeFixture.redlock(List.of(node), settings, fixture.loop, fixture.ticker);
	}

}

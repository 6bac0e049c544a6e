package dev.redlock.lettuce;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;

import dev.redlock.lettuce.internal.connection.NodeResources;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Ticker;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Faulted;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static dev.redlock.lettuce.NodeFixture.await;
import static dev.redlock.lettuce.NodeFixture.claim;
import static dev.redlock.lettuce.NodeFixture.unguarded;
import static dev.redlock.lettuce.NodeFixture.vote;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The end of nodes and of their loop.
 */
class LockNodesTests {

	private static final int MANY = 100;

	@Test
	void everyVoteIsGivenWhenNodesAreClosedWhileTheirServerIsSilent() {
		try (RedisProcess redis = RedisProcess.start()) {
			NodeResources resources = NodeResources.create();
			LockNodes nodes = start(redis, resources);
			LockNode node = NodeFixture.await(nodes.list().get(0), State.READY);
			redis.freeze();
			List<CompletionStage<Vote>> votes = new ArrayList<>();
			for (int i = 0; i < MANY; i++) {
				votes.add(node.acquire(claim("k" + i, "t"), 0));
			}
			nodes.close();
			votes.forEach((vote) -> assertThat(vote(vote)).isInstanceOf(Faulted.class));
			assertRefused(node);
			await(() -> hasEnded(nodes.loop()));
			assertRefused(node);
			nodes.close();
		}
	}

	@Test
	void nodesOfSomebodyElseHaveALoopThatEndsWithThem() {
		LockNodes nodes = LockNodes.of(List.of());
		assertThat(hasEnded(nodes.loop())).isFalse();
		nodes.close();
		await(() -> hasEnded(nodes.loop()));
	}

	/** As nodes that the application has started are, when the lock opens them. */
	@Test
	void nodesThatAreStartedAgainWithoutAStopKeepTheirOneConnection() {
		NodeResources resources = NodeResources.create();
		try (RedisProcess redis = RedisProcess.start()) {
			LockNodes nodes = start(redis, resources);
			nodes.start();
			NodeFixture.await(nodes.list().get(0), State.READY);
			nodes.stop();
			nodes.start();
			NodeFixture.await(nodes.list().get(0), State.READY);
			assertThat(redis.ask((commands) -> commands.clientList())
				.lines()
				.filter((client) -> client.contains("name=of-the-nodes"))).hasSize(1);
			nodes.close();
		}
	}

	private static void assertRefused(LockNode node) {
		assertThat(vote(node.acquire(claim("k", "t"), 0))).isInstanceOfSatisfying(Faulted.class,
				(faulted) -> assertThat(faulted.mayHaveRun()).isFalse());
	}

	private static boolean hasEnded(EventLoop loop) {
		try {
			loop.execute(() -> {
			});
			return false;
		}
		catch (RejectedExecutionException ex) {
			return true;
		}
	}

	private static LockNodes start(RedisProcess redis, NodeResources resources) {
		LockNodes nodes = NodeFixture.builder()
			.lettuce("a", (shared) -> new LettuceConnectionFactory(
					new RedisStandaloneConfiguration("127.0.0.1", redis.port()),
					LettuceClientConfiguration.builder().clientResources(shared).clientName("of-the-nodes").build()))
			.build(unguarded(), resources.loop(), Ticker.SYSTEM, resources.clientResources(), resources::close);
		nodes.start();
		return nodes;
	}

}

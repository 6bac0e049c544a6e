package dev.redlock.lettuce.internal.connection;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import dev.redlock.lettuce.NodeFixture;
import dev.redlock.lettuce.RedisProcess;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote;
import io.lettuce.core.RedisClient;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.ClientResources;
import org.junit.jupiter.api.Test;

import static dev.redlock.lettuce.NodeFixture.await;
import static dev.redlock.lettuce.NodeFixture.unguarded;
import static dev.redlock.lettuce.NodeFixture.vote;
import static org.assertj.core.api.Assertions.assertThat;

class NodeResourcesTests {

	@Test
	void allNodesAreServedByOneThreadThatIsNoThreadOfTheApplication() {
		try (NodeFixture fixture = new NodeFixture()) {
			List<RedisProcess> servers = new ArrayList<>();
			Set<String> threads = ConcurrentHashMap.newKeySet();
			try {
				for (int i = 0; i < 3; i++) {
					servers.add(RedisProcess.start());
					LockNode node = await(fixture.lettuce("n" + i, servers.get(i).uri(), unguarded()), State.READY);
					// What is answered already would be looked at on this thread.
					servers.get(i).freeze();
					CompletionStage<Vote> looked = node.inspect("k").thenApply((vote) -> {
						threads.add(Thread.currentThread().getName());
						return vote;
					});
					servers.get(i).thaw();
					vote(looked);
				}
			}
			finally {
				servers.forEach(RedisProcess::close);
			}
			assertThat(threads).singleElement().asString().startsWith("redlock-io");
		}
	}

	@Test
	void whatIsSharedGoesOnWhenTheResourcesAreClosed() {
		AtomicInteger recorded = new AtomicInteger();
		CommandLatencyRecorder recorder = (local, remote, command, first, completed) -> recorded.incrementAndGet();
		ClientResources shared = ClientResources.builder().commandLatencyRecorder(recorder).build();
		try (RedisProcess redis = RedisProcess.start()) {
			try (NodeResources resources = NodeResources.sharing(shared)) {
				ClientResources own = resources.clientResources();
				assertThat(own.commandLatencyRecorder()).isSameAs(recorder);
				assertThat(own.timer()).isSameAs(shared.timer());
				assertThat(own.eventExecutorGroup()).isSameAs(shared.eventExecutorGroup());
				assertThat(own.tracing()).isSameAs(shared.tracing());
				assertThat(own.eventBus()).isSameAs(shared.eventBus());
				assertThat(own.nettyCustomizer()).isSameAs(shared.nettyCustomizer());
				assertThat(own.ioThreadPoolSize()).isEqualTo(1);
				assertThat(ping(own, redis)).isEqualTo("PONG");
				assertThat(recorded).hasPositiveValue();
			}
			assertThat(shared.eventExecutorGroup().isShuttingDown()).isFalse();
			assertThat(ping(shared, redis)).isEqualTo("PONG");
		}
		finally {
			shared.shutdown();
		}
	}

	private static String ping(ClientResources resources, RedisProcess redis) {
		RedisClient client = RedisClient.create(resources, redis.uri());
		try {
			return client.connect().sync().ping();
		}
		finally {
			client.shutdown();
		}
	}

}

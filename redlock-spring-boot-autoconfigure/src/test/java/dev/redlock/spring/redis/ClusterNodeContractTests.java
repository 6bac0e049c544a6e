package dev.redlock.spring.redis;

import java.time.Duration;

import dev.redlock.spi.LockNode;
import dev.redlock.spi.LockNodeContract;
import dev.redlock.spi.NodeStatus.State;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * Three keys of the contract lie in different slots, so this also covers split claims.
 */
class ClusterNodeContractTests extends LockNodeContract {

	private static RedisProcess redis;

	private static NodeFixture fixture;

	private static LockNode node;

	@BeforeAll
	static void start() {
		redis = RedisProcess.start("--cluster-enabled", "yes");
		redis.ask((commands) -> commands.clusterAddSlots(java.util.stream.IntStream.rangeClosed(0, 16383).toArray()));
		org.awaitility.Awaitility.await()
			.atMost(NodeFixture.BOUND)
			.until(() -> redis.ask((commands) -> commands.clusterInfo().contains("cluster_state:ok")));
		fixture = new NodeFixture();
		RedisURI uri = redis.uri();
		uri.setTimeout(Duration.ofSeconds(2));
		node = NodeFixture.await(fixture.lettuce("cluster", RedisClusterClient.create(uri), NodeFixture.unguarded()),
				State.READY);
	}

	@AfterAll
	static void stop() {
		fixture.close();
		redis.close();
	}

	@Override
	protected LockNode node() {
		return node;
	}

	@Override
	protected long nowMicros() {
		return fixture.fence();
	}

}

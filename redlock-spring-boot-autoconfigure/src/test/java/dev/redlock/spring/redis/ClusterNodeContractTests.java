package dev.redlock.spring.redis;

import java.time.Duration;
import java.util.stream.IntStream;

import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import org.awaitility.Awaitility;

/**
 * Three keys of the contract lie in different slots, so this also covers split claims.
 */
class ClusterNodeContractTests extends ServerNodeContract {

	ClusterNodeContractTests() {
		super("--cluster-enabled", "yes");
	}

	@Override
	SupervisedNode connect(NodeFixture nodes, RedisProcess server) {
		server.ask((commands) -> commands.clusterAddSlots(IntStream.rangeClosed(0, 16383).toArray()));
		Awaitility.await()
			.atMost(NodeFixture.BOUND)
			.until(() -> server.ask((commands) -> commands.clusterInfo().contains("cluster_state:ok")));
		RedisURI uri = server.uri();
		uri.setTimeout(Duration.ofSeconds(2));
		return nodes.lettuce("cluster", RedisClusterClient.create(uri), NodeFixture.unguarded());
	}

}

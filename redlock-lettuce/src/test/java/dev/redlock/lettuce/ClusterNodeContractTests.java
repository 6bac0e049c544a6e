package dev.redlock.lettuce;

import java.time.Duration;

import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;

/**
 * Three keys of the contract lie in different slots, so this also covers split claims.
 */
class ClusterNodeContractTests extends ServerNodeContract {

	ClusterNodeContractTests() {
		super("--cluster-enabled", "yes");
	}

	@Override
	protected boolean isOneServer() {
		return false;
	}

	@Override
	RedisLockNode connect(NodeFixture nodes, RedisProcess server) {
		server.takeAllSlots();
		RedisURI uri = server.uri();
		uri.setTimeout(Duration.ofSeconds(2));
		return nodes.lettuce("cluster", RedisClusterClient.create(nodes.resources.clientResources(), uri),
				NodeFixture.unguarded());
	}

}

package dev.redlock.lettuce;

import java.time.Duration;

import dev.redlock.lettuce.internal.facts.NodeSettings;

/**
 * A node does all that it has to as a user with no more than the documented rights.
 */
class LeastUserContractTests extends ServerNodeContract {

	private static final String PREFIX = "contract:";

	@Override
	RedisLockNode connect(NodeFixture nodes, RedisProcess server) {
		NodeSettings guarded = NodeFixture.fresh(PREFIX, Duration.ofSeconds(60));
		return nodes.lettuce("least", LeastUser.make(server, PREFIX), guarded);
	}

}

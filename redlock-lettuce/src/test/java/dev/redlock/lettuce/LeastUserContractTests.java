package dev.redlock.lettuce;

import java.time.Duration;

/**
 * A node does all that it has to as a user with no more than the documented rights.
 */
class LeastUserContractTests extends ServerNodeContract {

	private static final String PREFIX = "contract:";

	@Override
	RedisLockNode connect(NodeFixture nodes, RedisProcess server) {
		NodeSettings guarded = new NodeSettings(PREFIX, Duration.ofSeconds(60), 0.01, true, true,
				Duration.ofMillis(100), Duration.ofMillis(500));
		return nodes.lettuce("least", LeastUser.make(server, PREFIX), guarded);
	}

}

package dev.redlock.spring.redis;

import java.time.Duration;

import dev.redlock.spi.LockNode;
import dev.redlock.spi.LockNodeContract;
import dev.redlock.spi.NodeStatus.State;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * A node does all that it has to as a user with no more than the documented rights.
 */
class LeastUserContractTests extends LockNodeContract {

	private static final String PREFIX = "contract:";

	private static RedisProcess redis;

	private static NodeFixture fixture;

	private static LockNode node;

	@BeforeAll
	static void start() {
		redis = RedisProcess.start();
		fixture = new NodeFixture();
		NodeSettings guarded = new NodeSettings(PREFIX, Duration.ofSeconds(60), 0.01, true, true,
				Duration.ofMillis(100), Duration.ofMillis(500));
		node = NodeFixture.await(fixture.lettuce("least", LeastUser.make(redis, PREFIX), guarded), State.READY);
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

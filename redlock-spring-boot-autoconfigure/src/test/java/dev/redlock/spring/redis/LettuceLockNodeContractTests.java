package dev.redlock.spring.redis;

import dev.redlock.spi.LockNode;
import dev.redlock.spi.LockNodeContract;
import dev.redlock.spi.NodeStatus.State;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class LettuceLockNodeContractTests extends LockNodeContract {

	private static RedisProcess redis;

	private static NodeFixture fixture;

	private static LockNode node;

	@BeforeAll
	static void start() {
		redis = RedisProcess.start();
		fixture = new NodeFixture();
		node = NodeFixture.await(fixture.lettuce("one", redis.uri(), NodeFixture.unguarded()), State.READY);
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

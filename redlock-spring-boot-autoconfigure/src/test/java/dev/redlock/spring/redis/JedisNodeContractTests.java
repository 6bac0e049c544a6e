package dev.redlock.spring.redis;

import dev.redlock.spi.LockNode;
import dev.redlock.spi.LockNodeContract;
import dev.redlock.spi.NodeStatus.State;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

class JedisNodeContractTests extends LockNodeContract {

	private static RedisProcess redis;

	private static NodeFixture fixture;

	private static JedisConnectionFactory factory;

	private static LockNode node;

	@BeforeAll
	static void start() {
		redis = RedisProcess.start();
		fixture = new NodeFixture();
		factory = new JedisConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", redis.port()));
		factory.afterPropertiesSet();
		factory.start();
		node = NodeFixture.await(fixture.adapter("jedis", factory, NodeFixture.unguarded()), State.READY);
	}

	@AfterAll
	static void stop() {
		fixture.close();
		factory.destroy();
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

	@Override
	protected boolean listens() {
		return false;
	}

}

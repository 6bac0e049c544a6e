package dev.redlock.spring.redis;

import org.junit.jupiter.api.AfterAll;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

/**
 * The contract of nodes over connection factories of an application.
 */
abstract class FactoryNodeContract extends ServerNodeContract {

	abstract RedisConnectionFactory open(RedisStandaloneConfiguration configuration);

	abstract void close();

	@Override
	final SupervisedNode connect(NodeFixture nodes, RedisProcess server) {
		return nodes.adapter("factory", open(new RedisStandaloneConfiguration("127.0.0.1", server.port())),
				NodeFixture.unguarded());
	}

	@AfterAll
	@Override
	void stop() {
		super.stop();
		close();
	}

	@Override
	protected final boolean listens() {
		return false;
	}

}

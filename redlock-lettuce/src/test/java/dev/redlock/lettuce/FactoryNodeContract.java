package dev.redlock.lettuce;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

/**
 * The contract of nodes over connection factories of an application.
 */
abstract class FactoryNodeContract extends ServerNodeContract {

	abstract RedisConnectionFactory open(RedisStandaloneConfiguration configuration);

	@Override
	abstract void disconnect();

	@Override
	final RedisLockNode connect(NodeFixture nodes, RedisProcess server) {
		return nodes.adapter(getClass().getSimpleName(),
				open(new RedisStandaloneConfiguration("127.0.0.1", server.port())), NodeFixture.unguarded());
	}

	@Override
	protected final boolean listens() {
		return false;
	}

}

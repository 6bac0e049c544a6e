package dev.redlock.lettuce;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

class JedisNodeContractTests extends FactoryNodeContract {

	private JedisConnectionFactory factory;

	@Override
	RedisConnectionFactory open(RedisStandaloneConfiguration configuration) {
		this.factory = new JedisConnectionFactory(configuration);
		this.factory.afterPropertiesSet();
		this.factory.start();
		return this.factory;
	}

	@Override
	void disconnect() {
		this.factory.destroy();
	}

}

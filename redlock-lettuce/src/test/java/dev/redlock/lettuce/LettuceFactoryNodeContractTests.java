package dev.redlock.lettuce;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

class LettuceFactoryNodeContractTests extends FactoryNodeContract {

	private LettuceConnectionFactory factory;

	@Override
	RedisConnectionFactory open(RedisStandaloneConfiguration configuration) {
		this.factory = new LettuceConnectionFactory(configuration);
		this.factory.afterPropertiesSet();
		this.factory.start();
		return this.factory;
	}

	@Override
	void disconnect() {
		this.factory.destroy();
	}

}

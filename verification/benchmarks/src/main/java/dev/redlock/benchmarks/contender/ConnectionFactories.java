package dev.redlock.benchmarks.contender;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Connections as Spring users have them.
 */
final class ConnectionFactories {

	private ConnectionFactories() {
	}

	static LettuceConnectionFactory connect(int port) {
		LettuceConnectionFactory factory = new LettuceConnectionFactory("127.0.0.1", port);
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

}

package dev.redlock.spring.autoconfigure;

import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;

/**
 * Changes the Lettuce client of a Redis instance, for options that have no property.
 * Beans of this type are called in their order, after Spring Boot's customizers. Options
 * that keep locks safe cannot be changed: Lettuce does not reconnect, buffers no
 * commands, sends no command twice and has no command timeout.
 */
@FunctionalInterface
public interface RedlockClientCustomizer {

	/**
	 * Changes the Lettuce client of one Redis instance.
	 * @param instance the name of the Redis instance
	 */
	void customize(String instance, LettuceClientConfigurationBuilder builder);

}

package dev.redlock.spring.autoconfigure;

import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;

/**
 * Changes the Lettuce client of an instance, for options that have no property. Beans of
 * this type are called in their order, after Spring Boot's customizers. Settings that
 * keep locks safe are applied last and cannot be changed: Lettuce does not reconnect,
 * buffers no commands, sends no command twice, and has no command timeout.
 */
@FunctionalInterface
public interface RedlockClientCustomizer {

	/**
	 * Changes the client of one instance.
	 * @param instance the name of the instance
	 * @param builder the builder of the client's options
	 */
	void customize(String instance, LettuceClientConfigurationBuilder builder);

}

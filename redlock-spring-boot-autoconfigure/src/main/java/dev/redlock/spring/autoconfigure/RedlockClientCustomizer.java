package dev.redlock.spring.autoconfigure;

import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;

/**
 * Changes how the Lettuce client of an instance is set up, for what no property covers.
 * Beans of this type are called in their order, after those of Spring Boot. What keeps
 * locks safe is set after them and cannot be changed: no reconnection by Lettuce, no
 * commands that are kept back or sent twice, no command timeout.
 */
@FunctionalInterface
public interface RedlockClientCustomizer {

	/**
	 * Changes the client of one instance.
	 * @param instance the name of the instance
	 * @param builder what the client is made from
	 */
	void customize(String instance, LettuceClientConfigurationBuilder builder);

}

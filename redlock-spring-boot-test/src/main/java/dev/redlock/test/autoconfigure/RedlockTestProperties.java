package dev.redlock.test.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of tests without Redis.
 *
 * @param mode Replacement for Redis. By default there is no replacement, and locks need
 * real nodes.
 * @param nodes Number of nodes in memory if the mode is scripted.
 */
@ConfigurationProperties("redlock.test")
record RedlockTestProperties(@Nullable Mode mode, @DefaultValue("5") int nodes) {

	/**
	 * A replacement for Redis.
	 */
	enum Mode {

		/**
		 * Nodes in memory, which a test controls, replace Redis.
		 */
		SCRIPTED

	}

}

package dev.redlock.test.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of tests without Redis.
 *
 * @param mode What takes the place of Redis. By default nothing does, and locks need real
 * nodes.
 * @param nodes How many nodes there are in memory, in mode scripted.
 */
@ConfigurationProperties("redlock.test")
record RedlockTestProperties(@Nullable Mode mode, @DefaultValue("5") int nodes) {

	/**
	 * What takes the place of Redis.
	 */
	enum Mode {

		/**
		 * Nodes in memory that do as a test tells them.
		 */
		SCRIPTED,

		/**
		 * Nothing: every lock is taken, and keeps nobody out.
		 */
		ALWAYS

	}

}

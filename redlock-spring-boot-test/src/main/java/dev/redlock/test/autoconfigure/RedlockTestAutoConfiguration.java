package dev.redlock.test.autoconfigure;

import dev.redlock.spring.redis.LockNodes;
import dev.redlock.spring.template.RedLockTemplate;
import dev.redlock.test.autoconfigure.RedlockTestProperties.Mode;
import dev.redlock.test.scripted.ScriptedNodes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/**
 * Locks without Redis, for tests that say so by {@code redlock.test.mode}.
 */
@AutoConfiguration(beforeName = "dev.redlock.spring.autoconfigure.RedlockAutoConfiguration")
@ConditionalOnProperty("redlock.test.mode")
@ConditionalOnBooleanProperty(name = "redlock.enabled", matchIfMissing = true)
@EnableConfigurationProperties(RedlockTestProperties.class)
public final class RedlockTestAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(RedlockTestAutoConfiguration.class);

	RedlockTestAutoConfiguration() {
	}

	@Bean
	ScriptedNodes redlockScriptedNodes(RedlockTestProperties properties) {
		boolean always = properties.mode() == Mode.ALWAYS;
		logger.warn(always ? "Every lock is taken and keeps nobody out, as redlock.test.mode=always says"
				: "Locks are kept in memory and keep no other process out, as redlock.test.mode=scripted says");
		return ScriptedNodes.inRealTime(always ? 1 : properties.nodes());
	}

	@Bean
	LockNodes redlockNodes(ScriptedNodes nodes) {
		return LockNodes.of(nodes.asList());
	}

	/**
	 * What is not asked through {@link RedLockTemplate}, as reactive methods are not,
	 * gets its locks from the one node in memory.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(name = "redlock.test.mode", havingValue = "always")
	static class AlwaysConfiguration {

		@Bean
		@Primary
		RedLockTemplate redLockTemplate() {
			return RedLockTemplate.withoutLocks();
		}

	}

}

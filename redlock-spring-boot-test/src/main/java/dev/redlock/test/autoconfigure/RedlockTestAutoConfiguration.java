package dev.redlock.test.autoconfigure;

import dev.redlock.lettuce.LockNodes;
import dev.redlock.test.scripted.ScriptedNodes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Sets up locks in memory, without Redis, for tests that set {@code redlock.test.mode}.
 */
@AutoConfiguration(beforeName = "dev.redlock.spring.autoconfigure.RedlockAutoConfiguration")
@ConditionalOnProperty("redlock.test.mode")
@ConditionalOnBooleanProperty(name = "redlock.enabled", matchIfMissing = true)
@EnableConfigurationProperties(RedlockTestProperties.class)
public final class RedlockTestAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(RedlockTestAutoConfiguration.class);

	@Bean
	@ConditionalOnMissingBean
	ScriptedNodes redlockScriptedNodes(RedlockTestProperties properties) {
		logger.warn("redlock.test.mode=scripted: locks are in memory and exclude no other process");
		return ScriptedNodes.inRealTime(properties.nodes());
	}

	@Bean
	LockNodes redlockNodes(ScriptedNodes nodes) {
		return LockNodes.of(nodes.asList());
	}

}

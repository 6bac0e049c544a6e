package dev.redlock.test.autoconfigure;

import dev.redlock.spring.autoconfigure.RedlockConnectionDetails;
import dev.redlock.test.RedisNodes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * Starts real Redis nodes on this machine, for a test or for an application that asks for
 * them. The nodes end with the application context, after the lock was closed.
 */
@AutoConfiguration(beforeName = "dev.redlock.spring.autoconfigure.RedlockAutoConfiguration")
@ConditionalOnBooleanProperty(name = "redlock.enabled", matchIfMissing = true)
@Conditional(OnEmbeddedNodesCondition.class)
@ConditionalOnMissingBean(RedlockConnectionDetails.class)
@EnableConfigurationProperties(EmbeddedRedlockProperties.class)
public final class EmbeddedRedlockAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(EmbeddedRedlockAutoConfiguration.class);

	@Bean
	@ConditionalOnMissingBean
	RedisNodes redlockEmbeddedNodes(EmbeddedRedlockProperties properties) {
		RedisNodes nodes = RedisNodes.start(properties.nodes());
		logger.warn("Redlock uses embedded Redis nodes, for development and tests only: {}. Configure"
				+ " redlock.instances for anything else.", nodes);
		return nodes;
	}

	@Bean
	EmbeddedRedlockConnectionDetails redlockEmbeddedConnectionDetails(RedisNodes nodes,
			EmbeddedRedlockProperties properties) {
		return new EmbeddedRedlockConnectionDetails(nodes, properties.restartGuard());
	}

}

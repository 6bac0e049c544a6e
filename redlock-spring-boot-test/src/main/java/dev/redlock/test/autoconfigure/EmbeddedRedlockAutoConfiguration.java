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
 * Starts real Redis servers on this machine, for tests and for development. The servers
 * end with the application context, after the application's locks were released.
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

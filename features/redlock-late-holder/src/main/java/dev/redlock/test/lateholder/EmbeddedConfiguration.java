package dev.redlock.test.lateholder;

import dev.redlock.Redlock;
import dev.redlock.test.RedisNodes;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Locks on the embedded servers, in real time.
 */
@Configuration(proxyBeanMethods = false)
@Import(LateHolderConfiguration.class)
class EmbeddedConfiguration {

	@Bean
	EmbeddedServers lateHolderServers(RedisNodes nodes, Redlock redlock) {
		return new EmbeddedServers(nodes, redlock);
	}

}

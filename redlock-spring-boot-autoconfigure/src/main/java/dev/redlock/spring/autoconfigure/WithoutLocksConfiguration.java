package dev.redlock.spring.autoconfigure;

import java.util.List;

import dev.redlock.Redlock;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.lettuce.SystemTicker;
import dev.redlock.memory.InMemoryNode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Replaces the nodes while locks are turned off: locks of {@link Redlock} itself are in
 * the memory of this process. The templates then run their work at once, under a lease
 * that is always valid.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "redlock.enabled", havingValue = false)
class WithoutLocksConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(WithoutLocksConfiguration.class);

	WithoutLocksConfiguration() {
		logger.warn("Locks are turned off by redlock.enabled=false: methods with @RedLock run without a lock");
	}

	@Bean
	@ConditionalOnMissingBean({ LockNodes.class, Redlock.class })
	LockNodes redlockNodes() {
		return LockNodes.of(List.of(new InMemoryNode("without-locks", new SystemTicker())));
	}

}

package dev.redlock.spring.integration;

import dev.redlock.spring.lock.RedlockLocks;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.support.locks.LockRegistry;

/**
 * Auto-configuration of a Spring Integration {@code LockRegistry}. If the application
 * defines a {@code LockRegistry} bean, that bean is used instead.
 */
@AutoConfiguration(afterName = "dev.redlock.spring.autoconfigure.RedlockAutoConfiguration")
@ConditionalOnSingleCandidate(RedlockLocks.class)
@EnableConfigurationProperties(RedlockLockRegistryProperties.class)
public final class RedlockLockRegistryAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(LockRegistry.class)
	@ConditionalOnBooleanProperty(name = "redlock.lock-registry.enabled", matchIfMissing = true)
	RedlockLockRegistry redlockLockRegistry(RedlockLocks locks) {
		return new RedlockLockRegistry(locks);
	}

}

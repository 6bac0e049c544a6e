package dev.redlock.spring.integration;

import dev.redlock.RedlockSettings;
import dev.redlock.spring.template.RedLockOperations;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.support.locks.LockRegistry;

/**
 * Auto-configuration of the locks of the JDK and of Spring Integration. A lock registry
 * of the application stays in place.
 */
@AutoConfiguration(afterName = "dev.redlock.spring.autoconfigure.RedlockAutoConfiguration")
@ConditionalOnSingleCandidate(RedLockOperations.class)
public final class RedlockLockRegistryAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RedlockLocks redlockLocks(RedLockOperations operations, RedlockSettings settings) {
		return new RedlockLocks(operations, settings);
	}

	@Bean
	@ConditionalOnMissingBean(LockRegistry.class)
	@ConditionalOnBooleanProperty(name = "redlock.lock-registry.enabled", matchIfMissing = true)
	RedlockLockRegistry redlockLockRegistry(RedLockOperations operations, RedlockSettings settings) {
		return new RedlockLockRegistry(operations, settings);
	}

}

package dev.redlock.spring.integration;

import dev.redlock.Redlock;
import dev.redlock.RedlockSettings;
import dev.redlock.spring.template.RedLockOperations;

import org.springframework.beans.factory.ObjectProvider;
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
	@ConditionalOnMissingBean(LockRegistry.class)
	@ConditionalOnBooleanProperty(name = "redlock.lock-registry.enabled", matchIfMissing = true)
	RedlockLockRegistry redlockLockRegistry(RedLockOperations operations, RedlockSettings settings,
			ObjectProvider<Redlock> locks) {
		return new RedlockLockRegistry(operations, used(settings, locks));
	}

	/**
	 * The application may define a lock with settings of its own.
	 */
	private static RedlockSettings used(RedlockSettings configured, ObjectProvider<Redlock> locks) {
		Redlock only = locks.getIfUnique();
		return (only != null) ? only.settings() : configured;
	}

}

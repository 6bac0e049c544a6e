package dev.redlock.spring.autoconfigure;

import dev.redlock.spring.interceptor.RedLockBypass;
import dev.redlock.spring.template.RedLockOperations;
import dev.redlock.spring.template.RedLockTemplate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Logs a warning that locks are turned off, and lets locked methods run without a lock.
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "redlock.enabled", havingValue = false)
public final class RedlockDisabledAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(RedlockDisabledAutoConfiguration.class);

	RedlockDisabledAutoConfiguration() {
		logger.warn("Locks are turned off by redlock.enabled=false: methods with @RedLock run without a lock");
	}

	@Bean
	RedLockBypass redLockBypass() {
		return new RedLockBypass();
	}

	@Bean
	@ConditionalOnMissingBean(RedLockOperations.class)
	RedLockTemplate redLockTemplate() {
		return RedLockTemplate.withoutLocks();
	}

}

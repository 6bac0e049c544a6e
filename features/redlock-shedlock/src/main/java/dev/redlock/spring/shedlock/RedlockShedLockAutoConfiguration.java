package dev.redlock.spring.shedlock;

import dev.redlock.Redlock;
import dev.redlock.spi.Scheduler;
import net.javacrumbs.shedlock.core.LockProvider;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of a ShedLock {@code LockProvider}. If the application defines a
 * {@code LockProvider} bean, that bean is used instead.
 */
@AutoConfiguration(afterName = "dev.redlock.spring.autoconfigure.RedlockAutoConfiguration")
@ConditionalOnSingleCandidate(Redlock.class)
@ConditionalOnMissingBean(LockProvider.class)
@ConditionalOnBooleanProperty(name = "redlock.shedlock.enabled", matchIfMissing = true)
@EnableConfigurationProperties(RedlockShedLockProperties.class)
public final class RedlockShedLockAutoConfiguration {

	/**
	 * This module works without the auto-configuration of the lock, which has a timer for
	 * all features.
	 */
	@Bean(defaultCandidate = false)
	@ConditionalOnMissingBean(name = "redlockTimer")
	LeaseTimers redlockTimer() {
		return new LeaseTimers();
	}

	@Bean
	RedlockLockProvider redlockLockProvider(Redlock redlock, @Qualifier("redlockTimer") Scheduler timer) {
		return new RedlockLockProvider(redlock, timer);
	}

}

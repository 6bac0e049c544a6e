package dev.redlock.spring.autoconfigure;

import dev.redlock.Redlock;
import dev.redlock.RedlockSettings;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.lettuce.NettyLoop;
import dev.redlock.spring.integration.RedlockLockProvider;
import dev.redlock.spring.integration.RedlockLockRegistry;
import dev.redlock.spring.integration.RedlockLocks;
import dev.redlock.spring.template.RedLockOperations;
import net.javacrumbs.shedlock.core.LockProvider;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.support.locks.LockRegistry;

/**
 * Auto-configuration of the lock for the JDK, Spring Integration and ShedLock. A lock
 * registry or lock provider of the application stays in place.
 */
@AutoConfiguration(afterName = "dev.redlock.spring.autoconfigure.RedlockAutoConfiguration")
@ConditionalOnClass(Redlock.class)
@ConditionalOnBean(RedlockSettings.class)
@ConditionalOnSingleCandidate(RedLockOperations.class)
@ConditionalOnBooleanProperty(name = "redlock.enabled", matchIfMissing = true)
public final class RedlockIntegrationAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RedlockLocks redlockLocks(RedLockOperations operations, RedlockSettings settings) {
		return new RedlockLocks(operations, settings);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(LockRegistry.class)
	@ConditionalOnBooleanProperty(name = "redlock.lock-registry.enabled", matchIfMissing = true)
	static class SpringIntegrationConfiguration {

		@Bean
		@ConditionalOnMissingBean(LockRegistry.class)
		RedlockLockRegistry redlockLockRegistry(RedLockOperations operations, RedlockSettings settings) {
			return new RedlockLockRegistry(operations, settings);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(LockProvider.class)
	@ConditionalOnBean(RedlockThreads.class)
	@ConditionalOnSingleCandidate(Redlock.class)
	@ConditionalOnBooleanProperty(name = "redlock.shedlock.enabled", matchIfMissing = true)
	static class ShedLockConfiguration {

		/**
		 * Provides timers if the application created its lock without these nodes.
		 */
		@Bean(defaultCandidate = false)
		@ConditionalOnMissingBean(LockNodes.class)
		NettyLoop redlockShedLockLoop() {
			return new NettyLoop("redlock-shedlock");
		}

		@Bean
		@ConditionalOnMissingBean(LockProvider.class)
		RedlockLockProvider redlockLockProvider(Redlock redlock, ObjectProvider<LockNodes> nodes,
				@Qualifier("redlockShedLockLoop") ObjectProvider<NettyLoop> loop) {
			LockNodes own = nodes.getIfAvailable();
			return new RedlockLockProvider(redlock, (own != null) ? own.loop() : loop.getObject());
		}

	}

}

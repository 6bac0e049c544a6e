package dev.redlock.spring.autoconfigure;

import java.util.List;

import dev.redlock.Redlock;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.lettuce.SystemTicker;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spring.template.ReactiveRedLockTemplate;
import dev.redlock.spring.template.RedLockOperations;
import dev.redlock.spring.template.RedLockTemplate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Turns locks off and keeps all beans. Work with {@code @RedLock} or a template runs at
 * once, under a lease that is always valid. Locks of {@link Redlock} itself are in the
 * memory of this process.
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

	@Bean
	@ConditionalOnMissingBean(RedLockOperations.class)
	RedLockTemplate redLockTemplate() {
		return RedLockTemplate.withoutLocks();
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(Flux.class)
	static class Reactive {

		@Bean
		@ConditionalOnMissingBean
		ReactiveRedLockTemplate reactiveRedLockTemplate() {
			return ReactiveRedLockTemplate.withoutLocks();
		}

	}

}

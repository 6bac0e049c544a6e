package dev.redlock.spring.autoconfigure;

import dev.redlock.Redlock;
import dev.redlock.spring.autoconfigure.internal.settings.RedlockProperties;
import dev.redlock.spring.template.ReactiveRedLockTemplate;
import reactor.core.publisher.Flux;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of locks around reactive publishers, including methods with
 * {@link dev.redlock.spring.annotation.RedLock @RedLock}.
 */
@AutoConfiguration(after = RedlockAutoConfiguration.class)
@ConditionalOnClass({ Redlock.class, Flux.class })
@ConditionalOnSingleCandidate(Redlock.class)
@EnableConfigurationProperties(RedlockProperties.class)
public final class RedlockReactiveAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	ReactiveRedLockTemplate reactiveRedLockTemplate(Redlock redlock, RedlockProperties properties) {
		return properties.enabled() ? new ReactiveRedLockTemplate(redlock) : ReactiveRedLockTemplate.withoutLocks();
	}

}

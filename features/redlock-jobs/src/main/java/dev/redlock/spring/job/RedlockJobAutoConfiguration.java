package dev.redlock.spring.job;

import java.time.Clock;

import dev.redlock.Redlock;
import dev.redlock.spring.autoconfigure.RedlockAnnotationAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;

/**
 * Auto-configuration of scheduled methods with {@link RedLockJob}.
 */
@AutoConfiguration(after = RedlockAnnotationAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
public final class RedlockJobAutoConfiguration {

	/**
	 * Each application context needs its own {@link JobExtension}, because each context
	 * has its own advisor for {@code @RedLock}.
	 */
	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	static JobExtension redlockJobExtension(ConfigurableListableBeanFactory beans, ApplicationEventPublisher events) {
		return new JobExtension(beans, events::publishEvent, Clock.systemUTC());
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnSingleCandidate(MeterRegistry.class)
	@ConditionalOnBean(Redlock.class)
	static class Metrics {

		/**
		 * No bean asks for the meters, so lazy initialization would leave them out.
		 */
		@Bean
		@Lazy(false)
		MeteredJobs redlockMeteredJobs(MeterRegistry registry, JobExtension jobs) {
			MeteredJobs meters = new MeteredJobs(registry);
			jobs.observe(meters);
			return meters;
		}

	}

}

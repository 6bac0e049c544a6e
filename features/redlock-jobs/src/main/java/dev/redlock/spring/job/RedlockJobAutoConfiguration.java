package dev.redlock.spring.job;

import java.time.Clock;

import dev.redlock.Redlock;
import dev.redlock.spring.autoconfigure.RedlockAnnotationAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;

/**
 * Auto-configuration of jobs that run once per tick, and of their history.
 */
@AutoConfiguration(after = RedlockAnnotationAutoConfiguration.class,
		afterName = { "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@Import(JobHistoryConfiguration.class)
public final class RedlockJobAutoConfiguration {

	/**
	 * Each context needs its own, as with the advisor of the annotation.
	 */
	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	static JobExtension redlockJobExtension(ConfigurableBeanFactory beans, ApplicationEventPublisher events) {
		return new JobExtension(beans, events::publishEvent, Clock.systemUTC());
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	MissedTicks redlockMissedTicks(ObjectProvider<Redlock> redlock, JobExtension jobs, ApplicationContext context) {
		return new MissedTicks(redlock, jobs, context);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnSingleCandidate(MeterRegistry.class)
	@ConditionalOnBean(Redlock.class)
	static class Metrics {

		@Bean
		@ConditionalOnMissingBean
		MeteredJobs redlockMeteredJobs(MeterRegistry registry, ObjectProvider<JobHistory> history) {
			return new MeteredJobs(registry, history.getIfAvailable());
		}

	}

}

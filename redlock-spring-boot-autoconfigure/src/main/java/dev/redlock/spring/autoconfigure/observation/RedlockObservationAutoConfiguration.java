package dev.redlock.spring.autoconfigure.observation;

import java.util.function.LongSupplier;

import dev.redlock.Redlock;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.spring.autoconfigure.RedlockAutoConfiguration;
import dev.redlock.spring.observation.AcquireObservationConvention;
import dev.redlock.spring.observation.HoldObservationConvention;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of the meters of locks, and of the observations of lock requests and
 * leases.
 */
@AutoConfiguration(after = RedlockAutoConfiguration.class,
		afterName = {
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
				"org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration" })
@EnableConfigurationProperties(RedlockObservationProperties.class)
public final class RedlockObservationAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnBean({ Redlock.class, MeterRegistry.class })
	static class Metrics {

		@Bean
		@ConditionalOnMissingBean
		@ConditionalOnSingleCandidate(Redlock.class)
		RedlockGauges redlockGauges(Redlock redlock,
				@Qualifier("redlockDroppedNotifications") ObjectProvider<LongSupplier> dropped,
				ObjectProvider<LockNodes> nodes) {
			return new RedlockGauges(redlock, dropped.getIfAvailable(), nodes.getIfUnique());
		}

		@Bean
		@ConditionalOnMissingBean
		MeteredLocks redlockMeteredLocks(MeterRegistry registry) {
			return new MeteredLocks(registry);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(Observation.class)
	@ConditionalOnBean({ Redlock.class, ObservationRegistry.class })
	static class Observations {

		@Bean
		@ConditionalOnMissingBean
		ObservedLocks redlockObservedLocks(ObservationRegistry registry, RedlockObservationProperties properties,
				ObjectProvider<AcquireObservationConvention> acquireConvention,
				ObjectProvider<HoldObservationConvention> holdConvention) {
			return new ObservedLocks(registry, properties.includeResources(), acquireConvention.getIfAvailable(),
					holdConvention.getIfAvailable());
		}

	}

}

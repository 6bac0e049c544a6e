package dev.redlock.spring.autoconfigure.observation;

import dev.redlock.Redlock;
import dev.redlock.spring.observation.AcquireObservationConvention;
import dev.redlock.spring.observation.HoldObservationConvention;
import dev.redlock.spring.observation.ObservedLocks;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the observation of requests and leases. Each becomes a timer and
 * a span, if the application turns observations into these.
 */
@AutoConfiguration(afterName = { "dev.redlock.spring.autoconfigure.RedlockAutoConfiguration",
		"org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration" })
@ConditionalOnClass({ Redlock.class, Observation.class })
@ConditionalOnBean({ Redlock.class, ObservationRegistry.class })
@EnableConfigurationProperties(RedlockObservationProperties.class)
public final class RedlockObservationAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	ObservedLocks redlockObservedLocks(ObservationRegistry registry, RedlockObservationProperties properties,
			ObjectProvider<AcquireObservationConvention> acquireConvention,
			ObjectProvider<HoldObservationConvention> holdConvention) {
		return new ObservedLocks(registry, properties.includeResources(), acquireConvention.getIfAvailable(),
				holdConvention.getIfAvailable());
	}

}

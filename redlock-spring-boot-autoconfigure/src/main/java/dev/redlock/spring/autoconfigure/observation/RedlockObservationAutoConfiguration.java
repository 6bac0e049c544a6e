package dev.redlock.spring.autoconfigure.observation;

import dev.redlock.Redlock;
import dev.redlock.spring.autoconfigure.RedlockAutoConfiguration;
import dev.redlock.spring.observation.AcquireObservationConvention;
import dev.redlock.spring.observation.HoldObservationConvention;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the observation of requests and leases. Each becomes a timer and
 * a span, if the application turns observations into these.
 */
@AutoConfiguration(after = RedlockAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration")
@ConditionalOnClass({ Redlock.class, Observation.class })
@ConditionalOnBean({ Redlock.class, ObservationRegistry.class })
public final class RedlockObservationAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	ObservedLocks redlockObservedLocks(ObservationRegistry registry,
			@Value("${redlock.observation.include-resources:false}") boolean includeResources,
			ObjectProvider<AcquireObservationConvention> acquireConvention,
			ObjectProvider<HoldObservationConvention> holdConvention) {
		return new ObservedLocks(registry, includeResources, acquireConvention.getIfAvailable(),
				holdConvention.getIfAvailable());
	}

}

package dev.redlock.spring.autoconfigure.endpoint;

import java.time.Clock;

import dev.redlock.Redlock;
import dev.redlock.spring.autoconfigure.RedlockAutoConfiguration;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the actuator endpoint {@code redlock}.
 */
@AutoConfiguration(after = RedlockAutoConfiguration.class)
@ConditionalOnClass({ Redlock.class, Endpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnSingleCandidate(Redlock.class)
@ConditionalOnAvailableEndpoint(RedlockEndpoint.class)
public final class RedlockEndpointAutoConfiguration {

	@Bean
	RedlockEndpoint redlockEndpoint(Redlock redlock) {
		return new RedlockEndpoint(redlock, Clock.systemUTC());
	}

}

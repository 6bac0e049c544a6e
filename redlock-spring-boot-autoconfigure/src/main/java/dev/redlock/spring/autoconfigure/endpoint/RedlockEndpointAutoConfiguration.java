package dev.redlock.spring.autoconfigure.endpoint;

import java.time.Clock;

import dev.redlock.Redlock;
import dev.redlock.spring.endpoint.RedlockEndpoint;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the actuator endpoint for the lock.
 */
@AutoConfiguration(afterName = "dev.redlock.spring.autoconfigure.RedlockAutoConfiguration")
@ConditionalOnClass({ Redlock.class, WebEndpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnSingleCandidate(Redlock.class)
@ConditionalOnAvailableEndpoint(RedlockEndpoint.class)
@EnableConfigurationProperties(RedlockEndpointProperties.class)
public final class RedlockEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RedlockEndpoint redlockEndpoint(Redlock redlock, RedlockEndpointProperties properties) {
		return new RedlockEndpoint(redlock, properties.releaseEnabled(), Clock.systemUTC());
	}

}

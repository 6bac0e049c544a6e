package dev.redlock.spring.autoconfigure.endpoint;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the actuator endpoint.
 *
 * @param releaseEnabled Whether a DELETE of /actuator/redlock/{resource} takes a lock
 * from its holder in this instance and releases it.
 */
@ConfigurationProperties("redlock.endpoint")
record RedlockEndpointProperties(@DefaultValue("false") boolean releaseEnabled) {

}

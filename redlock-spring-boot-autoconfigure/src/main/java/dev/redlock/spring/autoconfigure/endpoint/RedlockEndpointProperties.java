package dev.redlock.spring.autoconfigure.endpoint;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the actuator endpoint.
 *
 * @param releaseEnabled Whether a DELETE of /actuator/redlock/{resource} releases a lock
 * that this application holds, and tells its holder that it is lost.
 */
@ConfigurationProperties(prefix = "redlock.endpoint", ignoreUnknownFields = false)
record RedlockEndpointProperties(@DefaultValue("false") boolean releaseEnabled) {

}

package dev.redlock.spring.leader;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Roles that one instance at a time leads.
 *
 * @param ttl Time after which another instance leads if the leader dies. By default
 * redlock.ttl.
 * @param yieldEnabled Whether a POST to /actuator/redlockleader/{role} makes this
 * instance leave the role to another one.
 */
@ConfigurationProperties(prefix = "redlock.leader", ignoreUnknownFields = false)
record RedlockLeaderProperties(@Nullable Duration ttl, @DefaultValue("false") boolean yieldEnabled) {

}

package dev.redlock.spring.leader;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Roles that one process at a time leads.
 *
 * @param ttl Time after which another process leads if the leader dies. By default
 * redlock.ttl.
 */
@ConfigurationProperties(prefix = "redlock.leader", ignoreUnknownFields = false)
record RedlockLeaderProperties(@Nullable Duration ttl) {

}

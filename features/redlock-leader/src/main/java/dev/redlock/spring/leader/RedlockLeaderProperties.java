package dev.redlock.spring.leader;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Roles that one process at a time leads.
 *
 * @param ttl Longest time until another process leads after the leader has died.
 */
@ConfigurationProperties("redlock.leader")
record RedlockLeaderProperties(@Nullable Duration ttl) {

}

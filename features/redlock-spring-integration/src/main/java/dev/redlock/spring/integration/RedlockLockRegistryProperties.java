package dev.redlock.spring.integration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the lock registry of Spring Integration.
 *
 * @param enabled Whether a lock registry of Spring Integration is configured where the
 * application has none.
 */
@ConfigurationProperties("redlock.lock-registry")
record RedlockLockRegistryProperties(@DefaultValue("true") boolean enabled) {

}

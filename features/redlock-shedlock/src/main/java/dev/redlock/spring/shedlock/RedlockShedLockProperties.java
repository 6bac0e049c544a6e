package dev.redlock.spring.shedlock;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the lock provider of ShedLock.
 *
 * @param enabled Whether a lock provider of ShedLock is configured where the application
 * has none.
 */
@ConfigurationProperties("redlock.shedlock")
record RedlockShedLockProperties(@DefaultValue("true") boolean enabled) {

}

package dev.redlock.spring.autoconfigure.observation;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the observations of locks.
 *
 * @param includeResources Whether spans name the locked resources. Meters never do.
 */
@ConfigurationProperties("redlock.observation")
record RedlockObservationProperties(@DefaultValue("false") boolean includeResources) {

}

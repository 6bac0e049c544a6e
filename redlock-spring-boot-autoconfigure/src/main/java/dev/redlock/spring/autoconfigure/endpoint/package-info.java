/**
 * Auto-configuration of the actuator endpoint of the lock.
 */
@NullMarked
package dev.redlock.spring.autoconfigure.endpoint;

import org.jspecify.annotations.NullMarked;

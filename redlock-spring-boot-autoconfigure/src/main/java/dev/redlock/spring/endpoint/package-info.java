/**
 * The actuator endpoint for the lock.
 */
@NullMarked
package dev.redlock.spring.endpoint;

import org.jspecify.annotations.NullMarked;

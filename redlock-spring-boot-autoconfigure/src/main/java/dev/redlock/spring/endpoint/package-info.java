/**
 * The actuator endpoint of the lock.
 */
@NullMarked
package dev.redlock.spring.endpoint;

import org.jspecify.annotations.NullMarked;

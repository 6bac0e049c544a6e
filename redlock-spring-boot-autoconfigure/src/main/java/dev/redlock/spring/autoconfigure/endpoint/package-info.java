/**
 * Auto-configuration of the endpoint for the lock.
 */
@NullMarked
package dev.redlock.spring.autoconfigure.endpoint;

import org.jspecify.annotations.NullMarked;

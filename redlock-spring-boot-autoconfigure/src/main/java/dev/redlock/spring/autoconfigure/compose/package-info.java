/**
 * Connects locks to Redis servers of Docker Compose.
 */
@NullMarked
package dev.redlock.spring.autoconfigure.compose;

import org.jspecify.annotations.NullMarked;

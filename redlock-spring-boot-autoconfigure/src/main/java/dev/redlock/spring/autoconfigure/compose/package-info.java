/**
 * Services of Docker Compose as the nodes of the lock.
 */
@NullMarked
package dev.redlock.spring.autoconfigure.compose;

import org.jspecify.annotations.NullMarked;

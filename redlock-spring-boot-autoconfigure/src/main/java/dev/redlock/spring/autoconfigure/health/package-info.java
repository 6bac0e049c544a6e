/**
 * Auto-configuration of the health of the lock.
 */
@NullMarked
package dev.redlock.spring.autoconfigure.health;

import org.jspecify.annotations.NullMarked;

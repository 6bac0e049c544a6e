/**
 * Auto-configuration of the health indicator of locks.
 */
@NullMarked
package dev.redlock.spring.autoconfigure.health;

import org.jspecify.annotations.NullMarked;

/**
 * Auto-configuration of the lock.
 */
@NullMarked
package dev.redlock.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;

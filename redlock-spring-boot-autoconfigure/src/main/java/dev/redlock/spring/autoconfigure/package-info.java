/**
 * Auto-configuration of distributed locks.
 */
@NullMarked
package dev.redlock.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;

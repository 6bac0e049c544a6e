/**
 * The meters and spans of the lock.
 */
@NullMarked
package dev.redlock.spring.observation;

import org.jspecify.annotations.NullMarked;

/**
 * The meters and spans of locks.
 */
@NullMarked
package dev.redlock.spring.observation;

import org.jspecify.annotations.NullMarked;

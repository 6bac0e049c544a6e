/**
 * Auto-configuration of the meters and spans of locks.
 */
@NullMarked
package dev.redlock.spring.autoconfigure.observation;

import org.jspecify.annotations.NullMarked;

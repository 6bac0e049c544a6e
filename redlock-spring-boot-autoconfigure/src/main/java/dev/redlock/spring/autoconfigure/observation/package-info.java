/**
 * Auto-configuration of the meters and spans of locks. Names and tags of observations are
 * in {@code dev.redlock.spring.observation}.
 */
@NullMarked
package dev.redlock.spring.autoconfigure.observation;

import org.jspecify.annotations.NullMarked;

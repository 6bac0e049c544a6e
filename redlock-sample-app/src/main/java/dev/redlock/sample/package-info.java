/**
 * The flash sale: the same purchase with and without a lock.
 */
@NullMarked
package dev.redlock.sample;

import org.jspecify.annotations.NullMarked;

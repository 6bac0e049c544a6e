/**
 * Locks without Redis, on nodes that do as they are told.
 */
@NullMarked
package dev.redlock.test.scripted;

import org.jspecify.annotations.NullMarked;

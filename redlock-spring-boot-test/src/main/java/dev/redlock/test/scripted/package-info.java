/**
 * Locks without Redis, over nodes in memory that a test controls.
 */
@NullMarked
package dev.redlock.test.scripted;

import org.jspecify.annotations.NullMarked;

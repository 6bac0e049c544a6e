/**
 * The Redlock algorithm: a lock is held only while a majority of independent nodes has
 * granted it.
 */
@NullMarked
package dev.redlock;

import org.jspecify.annotations.NullMarked;

/**
 * Nodes and time in memory: the reference for what a node must do, and the means to test
 * code under a lock without Redis.
 */
@NullMarked
package dev.redlock.memory;

import org.jspecify.annotations.NullMarked;

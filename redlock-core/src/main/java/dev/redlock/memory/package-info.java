/**
 * Nodes and time in memory. These nodes are the reference implementation of a node, and
 * let tests run code under a lock without Redis.
 */
@NullMarked
package dev.redlock.memory;

import org.jspecify.annotations.NullMarked;

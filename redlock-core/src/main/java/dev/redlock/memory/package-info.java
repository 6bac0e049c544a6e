/**
 * Nodes in memory, and a clock that only tests advance. These nodes are the reference
 * implementation of a node, and let tests run code under a lock without Redis.
 */
@NullMarked
package dev.redlock.memory;

import org.jspecify.annotations.NullMarked;

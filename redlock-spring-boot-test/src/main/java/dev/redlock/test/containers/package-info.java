/**
 * Nodes in Docker containers, by Testcontainers.
 */
@NullMarked
package dev.redlock.test.containers;

import org.jspecify.annotations.NullMarked;

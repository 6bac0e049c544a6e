/**
 * Redis nodes in Docker containers, with Testcontainers.
 */
@NullMarked
package dev.redlock.test.containers;

import org.jspecify.annotations.NullMarked;

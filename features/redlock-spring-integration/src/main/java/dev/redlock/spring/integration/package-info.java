/**
 * A lock registry of Spring Integration on the Redis nodes, and its events for the
 * leaders of redlock-leader.
 */
@NullMarked
package dev.redlock.spring.integration;

import org.jspecify.annotations.NullMarked;

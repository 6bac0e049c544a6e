/**
 * Nodes over Redis: scripts, connections, and the check of a server before it may vote.
 */
@NullMarked
package dev.redlock.spring.redis;

import org.jspecify.annotations.NullMarked;

/**
 * The adapter to ShedLock: a lock provider on the Redis nodes.
 */
@NullMarked
package dev.redlock.spring.shedlock;

import org.jspecify.annotations.NullMarked;

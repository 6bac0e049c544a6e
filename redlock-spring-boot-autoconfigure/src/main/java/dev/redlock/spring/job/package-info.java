/**
 * Jobs that run once per tick: {@link RedlockJobEvent} tells the outcome of each tick.
 */
@NullMarked
package dev.redlock.spring.job;

import org.jspecify.annotations.NullMarked;

/**
 * Jobs that run once per tick: {@link dev.redlock.spring.job.RedlockJobEvent} tells the
 * outcome of each tick, and the history of jobs keeps it in a table.
 */
@NullMarked
package dev.redlock.spring.job;

import org.jspecify.annotations.NullMarked;

/**
 * Jobs that run once per tick: {@link dev.redlock.spring.job.RedlockJobEvent} tells the
 * outcome of each tick, and {@link dev.redlock.spring.job.JobHistory} keeps it in a
 * table.
 */
@NullMarked
package dev.redlock.spring.job;

import org.jspecify.annotations.NullMarked;

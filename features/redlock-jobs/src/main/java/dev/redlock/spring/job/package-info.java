/**
 * Jobs that run once per scheduled time (tick): {@link dev.redlock.spring.job.RedLockJob}
 * on methods, {@link dev.redlock.spring.job.RedlockJobEvent} for the outcome of each
 * tick.
 */
@NullMarked
package dev.redlock.spring.job;

import org.jspecify.annotations.NullMarked;

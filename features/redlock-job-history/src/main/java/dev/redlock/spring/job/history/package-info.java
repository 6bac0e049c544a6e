/**
 * The history of jobs in a table, which shows ticks that no process ran.
 */
@NullMarked
package dev.redlock.spring.job.history;

import org.jspecify.annotations.NullMarked;

/**
 * The history of jobs in a table, which shows scheduled times at which no process ran the
 * job.
 */
@NullMarked
package dev.redlock.spring.job.history;

import org.jspecify.annotations.NullMarked;

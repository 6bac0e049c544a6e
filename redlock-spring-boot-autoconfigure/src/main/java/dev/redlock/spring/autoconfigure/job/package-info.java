/**
 * Auto-configuration of the history of jobs.
 */
@NullMarked
package dev.redlock.spring.autoconfigure.job;

import org.jspecify.annotations.NullMarked;

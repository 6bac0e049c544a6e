/**
 * Tables.
 */
@NullMarked
package dev.redlock.benchmarks.report;

import org.jspecify.annotations.NullMarked;

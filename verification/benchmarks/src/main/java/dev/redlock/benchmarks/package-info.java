/**
 * Runs that compare, side by side, on real Redis servers.
 */
@NullMarked
package dev.redlock.benchmarks;

import org.jspecify.annotations.NullMarked;

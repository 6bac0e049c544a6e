/**
 * Servers of other kinds to compare with, and the locks on them.
 */
@NullMarked
package dev.redlock.benchmarks.ensemble;

import org.jspecify.annotations.NullMarked;

/**
 * The locks that are compared, each behind the same small interface.
 */
@NullMarked
package dev.redlock.benchmarks.contender;

import org.jspecify.annotations.NullMarked;

/**
 * Side-by-side runs with other libraries.
 */
@NullMarked
package dev.redlock.benchmarks;

import org.jspecify.annotations.NullMarked;

/**
 * What the annotation and the template cost by themselves.
 */
@NullMarked
package dev.redlock.benchmarks.overhead;

import org.jspecify.annotations.NullMarked;

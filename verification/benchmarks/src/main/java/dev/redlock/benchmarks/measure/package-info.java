/**
 * What is measured, and how it becomes a number.
 */
@NullMarked
package dev.redlock.benchmarks.measure;

import org.jspecify.annotations.NullMarked;

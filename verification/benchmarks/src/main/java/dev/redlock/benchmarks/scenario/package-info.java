/**
 * What the contenders are asked to do, in this process and in others.
 */
@NullMarked
package dev.redlock.benchmarks.scenario;

import org.jspecify.annotations.NullMarked;

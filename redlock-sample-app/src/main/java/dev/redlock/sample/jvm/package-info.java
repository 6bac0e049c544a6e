/**
 * A second JVM with buyers of its own, and the pipe between the two.
 */
@NullMarked
package dev.redlock.sample.jvm;

import org.jspecify.annotations.NullMarked;

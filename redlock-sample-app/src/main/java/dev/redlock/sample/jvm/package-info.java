/**
 * A second JVM with its own buyers, and the pipes between the two JVMs.
 */
@NullMarked
package dev.redlock.sample.jvm;

import org.jspecify.annotations.NullMarked;

/**
 * The buyers, each on its own thread, and their reports.
 */
@NullMarked
package dev.redlock.sample.buyers;

import org.jspecify.annotations.NullMarked;

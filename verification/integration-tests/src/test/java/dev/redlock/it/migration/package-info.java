/**
 * The examples of the migration guides in {@code docs/migration}: the regions here stand
 * there, and run.
 */
@NullMarked
package dev.redlock.it.migration;

import org.jspecify.annotations.NullMarked;

/**
 * The examples of the migration guides in {@code docs/migration}: what stands there
 * between tags is here, and runs.
 */
@NullMarked
package dev.redlock.it.migration;

import org.jspecify.annotations.NullMarked;

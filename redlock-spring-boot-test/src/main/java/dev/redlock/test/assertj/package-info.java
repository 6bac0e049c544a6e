/**
 * Assertions on locks.
 */
@NullMarked
package dev.redlock.test.assertj;

import org.jspecify.annotations.NullMarked;

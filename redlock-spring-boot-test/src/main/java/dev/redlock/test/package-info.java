/**
 * Real Redis nodes for tests of locked code: they can be killed, frozen and restarted.
 */
@NullMarked
package dev.redlock.test;

import org.jspecify.annotations.NullMarked;

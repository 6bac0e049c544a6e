/**
 * A test that pauses a locked method at each of its steps for longer than its lock lives.
 */
@NullMarked
package dev.redlock.test.lateholder;

import org.jspecify.annotations.NullMarked;

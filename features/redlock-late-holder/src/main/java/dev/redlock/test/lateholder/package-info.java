/**
 * A test that pauses a locked method before each database access or HTTP request until
 * its lock has expired.
 */
@NullMarked
package dev.redlock.test.lateholder;

import org.jspecify.annotations.NullMarked;

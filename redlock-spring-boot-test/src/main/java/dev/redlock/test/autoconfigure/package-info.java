/**
 * Auto-configuration of embedded nodes for development and tests.
 */
@NullMarked
package dev.redlock.test.autoconfigure;

import org.jspecify.annotations.NullMarked;

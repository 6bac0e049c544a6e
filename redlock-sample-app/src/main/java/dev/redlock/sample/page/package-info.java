/**
 * The page of the demo: what it shows, and its buttons.
 */
@NullMarked
package dev.redlock.sample.page;

import org.jspecify.annotations.NullMarked;

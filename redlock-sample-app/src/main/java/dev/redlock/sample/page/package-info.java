/**
 * What the page shows and what its buttons do.
 */
@NullMarked
package dev.redlock.sample.page;

import org.jspecify.annotations.NullMarked;

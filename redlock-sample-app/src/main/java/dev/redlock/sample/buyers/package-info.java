/**
 * Those who buy, each on a thread of its own, and what they report of it.
 */
@NullMarked
package dev.redlock.sample.buyers;

import org.jspecify.annotations.NullMarked;

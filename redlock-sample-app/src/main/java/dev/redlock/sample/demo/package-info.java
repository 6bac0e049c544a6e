/**
 * The demo around the shop: buyers, a second JVM, and the page with its buttons.
 */
@NullMarked
package dev.redlock.sample.demo;

import org.jspecify.annotations.NullMarked;

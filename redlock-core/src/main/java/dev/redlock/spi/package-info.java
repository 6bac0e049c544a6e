/**
 * The interfaces that the lock needs from outside: nodes that vote, a clock, an event
 * loop.
 */
@NullMarked
package dev.redlock.spi;

import org.jspecify.annotations.NullMarked;

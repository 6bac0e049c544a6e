/**
 * What the lock needs from outside: nodes that vote, a clock, timers.
 */
@NullMarked
package dev.redlock.spi;

import org.jspecify.annotations.NullMarked;

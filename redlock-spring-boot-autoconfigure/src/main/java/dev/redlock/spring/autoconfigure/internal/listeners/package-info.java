/**
 * How the application hears of its locks: the queue of listeners, and the events of the
 * contexts. Knows nothing of the configuration.
 */
@NullMarked
package dev.redlock.spring.autoconfigure.internal.listeners;

import org.jspecify.annotations.NullMarked;

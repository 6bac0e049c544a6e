/**
 * Auto-configuration of distributed locks: their beans, threads and lifecycle, and the
 * messages of a failed start. Properties are in {@code internal.settings}, the queue of
 * listeners and the events in {@code internal.listeners}.
 */
@NullMarked
package dev.redlock.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;

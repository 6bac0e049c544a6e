/**
 * Auto-configuration of distributed locks: their beans and lifecycle, and the messages of
 * a failed start. Properties are in {@code internal.settings}, threads and listeners in
 * {@code internal.listeners}.
 */
@NullMarked
package dev.redlock.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;

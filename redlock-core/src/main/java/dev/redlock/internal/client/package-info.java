/**
 * Opens and closes a lock, and answers its public methods.
 * <p>
 * {@link Engine} is what {@code Redlock} delegates to, and beside {@code Ticket} the only
 * class that other modules may use. {@link ClientLifecycle} opens and closes the
 * connections, and {@link Drain} ends the leases of a client that closes. Any thread may
 * call the engine.
 * <p>
 * This package knows all others, and none of them knows it.
 */
@NullMarked
package dev.redlock.internal.client;

import org.jspecify.annotations.NullMarked;

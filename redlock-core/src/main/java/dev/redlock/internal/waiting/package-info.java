/**
 * When the requests of this process ask the nodes.
 * <p>
 * {@link KeyQueue} has the requests for the same keys in their order. {@link NextTry}
 * decides when the first of them asks again, {@link Fairness} leaves the lock to other
 * processes, and {@link ReleaseSubscription} hears of releases. {@link Waiting} blocks
 * threads.
 * <p>
 * A queue knows its requests and leases only by its own interfaces.
 */
@NullMarked
package dev.redlock.internal.waiting;

import org.jspecify.annotations.NullMarked;

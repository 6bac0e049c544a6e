/**
 * Asks all nodes, and finds out what their answers mean.
 * <p>
 * {@link Round} sends one operation to all nodes, and {@link Tally} counts their votes.
 * {@link Acquisition} is one try to get a lock, with the rounds for its fence, its permit
 * and its run of a job. {@link Releases} sends releases until they succeed.
 * {@link LockContext} has what all parts of a lock share.
 * <p>
 * This package knows what a request wants, but neither queues nor leases.
 */
@NullMarked
package dev.redlock.internal.vote;

import org.jspecify.annotations.NullMarked;

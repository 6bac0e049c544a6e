/**
 * Asks all nodes, and finds out what their answers mean.
 * <p>
 * {@link Round} sends one operation to all nodes, and {@link Tally} counts their votes.
 * {@code Tally.whyNotWon} decides why an operation failed: too many nodes answered with a
 * fault, one owner holds a majority, or neither. {@link Acquisition} is one claim on all
 * nodes, with the rounds for its fence and its run of a job. {@link Permits} finds a free
 * permit to claim. {@link Releases} sends releases until they succeed.
 * {@link LockContext} has what all parts of a lock share.
 * <p>
 * This package knows what a request wants, but neither queues nor leases.
 */
@NullMarked
package dev.redlock.internal.vote;

import org.jspecify.annotations.NullMarked;

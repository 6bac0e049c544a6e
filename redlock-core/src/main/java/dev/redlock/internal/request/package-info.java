/**
 * A request for a lock on its way to a lease or a failure.
 * <p>
 * {@link PendingAttempt} is a request, which decides about its next step after each
 * {@link Try}. {@link BlockingAttempt} lets a thread wait for a request, and
 * {@link AttemptFailure} says why a request got no lock. Any thread may begin or cancel a
 * request, and all else runs on the loop, except what {@link BlockingAttempt} does on the
 * thread that waits. Why a try was refused is decided by the {@code Tally} of its votes;
 * what the user reads of it is in {@code LockNotAcquiredException}.
 * <p>
 * This package knows queues, leases and rounds, but not the client.
 */
@NullMarked
package dev.redlock.internal.request;

import org.jspecify.annotations.NullMarked;

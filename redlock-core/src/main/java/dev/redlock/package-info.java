/**
 * The Redlock algorithm: a lock is held only while a majority of independent nodes has
 * granted it.
 * <p>
 * {@link Redlock} is the entry point, made by its builder from nodes and
 * {@link RedlockSettings}.
 * <ul>
 * <li>A {@link LockRequest} says what to lock and how, and for which {@link Tick} of a
 * job. The outcome of a request is a {@link LockAttempt}: a {@link Lease}, or the reason
 * why the lock was not acquired ({@link LockNotAcquiredException}).</li>
 * <li>Code under a lock finds its lease by {@link CurrentLease}. If the lease is lost,
 * {@link LossReason} says why, {@link LossPolicy} says what happens to the locked code,
 * and {@link LockLostException} reports the loss.</li>
 * <li>{@link RedlockListener} and {@link RequestListener} are notified of requests and
 * leases. {@link Inspection}, {@link NodeVote}, {@link QuorumStatus} and
 * {@link LeaseSnapshot} show the state of locks and nodes to people.</li>
 * </ul>
 * The package {@link dev.redlock.spi} has the interfaces of nodes, clocks and event
 * loops.
 */
@NullMarked
package dev.redlock;

import org.jspecify.annotations.NullMarked;

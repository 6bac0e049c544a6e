/**
 * Runs pieces of code under locks.
 * <p>
 * <strong>Concepts.</strong> Work runs under a <em>current lease</em>, which belongs to
 * its thread or to its Reactor context, and covers exactly the names that the work asked
 * for. Work on names that a current lease covers <em>re-enters</em> the lease: the work
 * takes no new lock, and the lease is released when the last piece of work under it is
 * done. Two pieces of work that re-enter inside of the same work are <em>siblings</em>,
 * which run one after the other. Inside an open transaction the lease is <em>held until
 * the transaction ends</em>. If the lease is <em>lost</em> during the work, the caller
 * gets a {@link dev.redlock.LockLostException}, unless its {@link dev.redlock.LossPolicy}
 * says otherwise.
 * <p>
 * <strong>Families</strong>, in the order in which to read them:
 * <ol>
 * <li>The API: {@link RedLockOperations}, {@link RedLockTemplate}, {@link LockCallback},
 * {@link ReactiveRedLockTemplate}; {@link ReactiveCurrentLease} and
 * {@link RedLockAssert}, for code that runs under a lock.</li>
 * <li>One piece of work: {@link LockedWork} has the leases of the work, finds the missing
 * resources, reports losses, and releases the leases. {@link RedLockTemplate},
 * {@link AsyncExecution} and {@link ReactiveExecution} differ in how they wait.
 * {@link CallSite} has the leases and the transaction around a call.</li>
 * <li>Leases: {@link BoundLease} is a granted lease, or the part of a lease that inner
 * work re-enters, and counts the work under it. {@link LeaseView} shows one or more
 * leases to inner work, {@link PretendedLease} is for work without a lock.</li>
 * <li>Transactions: {@link KeptLeases}, {@link TransactionHold} for the transactions of a
 * thread, {@link ReactiveTransactionHold} for the transactions of a subscriber;
 * {@link TransactionLeases} for code that runs at the commit.</li>
 * <li>{@link LossInterrupt} interrupts blocking work.</li>
 * </ol>
 */
@NullMarked
package dev.redlock.spring.template;

import org.jspecify.annotations.NullMarked;

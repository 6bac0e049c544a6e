/**
 * Runs callbacks under locks.
 * <p>
 * <strong>Concepts.</strong> A callback runs under a <em>current lease</em>, which
 * belongs to its thread or to its Reactor context, and covers exactly the names that the
 * call requested. A <em>nested call</em> on names that a current lease covers
 * <em>re-enters</em> the lease: the nested call takes no new lock. A lease is released
 * when the last call under it has ended. Several nested calls on one name inside of the
 * same outer call run one after the other. Inside an open transaction, the lease is
 * <em>held until the transaction has completed</em>. If the lease is <em>lost</em> while
 * the callback runs, the caller gets a {@link dev.redlock.LockLostException}, unless the
 * {@link dev.redlock.LossPolicy} of the request says otherwise.
 * <p>
 * <strong>Classes</strong>, in the order in which to read them:
 * <ol>
 * <li>The API: {@link RedLockOperations}, {@link RedLockTemplate}, {@link LockCallback},
 * {@link ReactiveRedLockTemplate}; {@link ReactiveCurrentLease} and
 * {@link RedLockAssert}, for code that runs under a lock.</li>
 * <li>One call of a callback: {@link LockedWork} has the leases of the call, finds the
 * names that must still be acquired, reports lost leases, and releases the leases.
 * {@link RedLockTemplate}, {@link AsyncExecution} and {@link ReactiveExecution} differ in
 * how they wait for the lock. {@link CallSite} has the leases and the transaction in
 * which a call begins.</li>
 * <li>Leases: {@link BoundLease} is a granted lease, or the nested lease of a nested
 * call, and counts the calls under it. {@link LeaseView} shows several leases as one
 * lease. {@link PretendedLease} is for callbacks that run without a lock.</li>
 * <li>Transactions: {@link LeasesHeldByTransaction} are the leases that a transaction holds:
 * {@link TransactionHold} for the transactions of a thread,
 * {@link ReactiveTransactionHold} for reactive transactions; {@link TransactionLeases}
 * for code that runs at the commit.</li>
 * <li>{@link LossInterrupt} interrupts the thread of a blocking callback when its lease
 * is lost.</li>
 * </ol>
 */
@NullMarked
package dev.redlock.spring.template;

import org.jspecify.annotations.NullMarked;

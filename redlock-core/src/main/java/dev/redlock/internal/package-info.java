/**
 * The implementation of the lock, for the modules of this project only. Applications must
 * not use this package, because it may change in any release.
 * <p>
 * <strong>Words.</strong> A <em>node</em> is a server that votes on locks. A
 * <em>round</em> sends one operation to all nodes at once and counts their votes. A
 * <em>try</em> is one round that asks for a lock, with further rounds that agree on its
 * fence. An <em>attempt</em> is a request for a lock with all its tries. A <em>claim</em>
 * is the keys of a lock and the secret token of their owner. A <em>lease</em> is a lock
 * that was granted. The <em>validity</em> of a lease is the time for which its holder may
 * trust the lease. The <em>loop</em> is the one thread that reads and changes all state.
 * Methods of this package run on the loop unless their comments say otherwise.
 * <p>
 * <strong>Files.</strong> The class {@link Engine} is the entry point of this package.
 * {@link PendingAttempt} is a request with its tries, and waits in a {@link KeyQueue}.
 * {@link NextTry} decides when the request asks the nodes, and {@link Fairness} leaves
 * time to other processes. {@link Acquisition} is one try, and each {@link Round} counts
 * the votes of the nodes in a {@link Tally}. {@link HeldLease} is a granted lock, which
 * {@link LeaseExtension} prolongs and {@link LeaseRelease} ends.
 */
@NullMarked
package dev.redlock.internal;

import org.jspecify.annotations.NullMarked;

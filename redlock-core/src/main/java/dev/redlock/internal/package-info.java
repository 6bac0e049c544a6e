/**
 * The implementation of the lock, for the modules of this project only. Applications must
 * not use this package, because it may change in any release.
 * <p>
 * <strong>Words.</strong> A <em>node</em> is a server that votes on locks. A
 * <em>round</em> sends one operation to all nodes at once and counts their votes. A
 * <em>try</em> is one round that asks for a lock, with the rounds that settle its fence.
 * An <em>attempt</em> is a request for a lock with all its tries. A <em>lease</em> is a
 * lock that was granted. The <em>validity</em> of a lease is the time for which its
 * holder may trust the lease. The <em>loop</em> is the one thread that reads and changes
 * all state. Methods of this package run on the loop unless their comments say otherwise.
 * <p>
 * <strong>Files</strong>, in the order in which to read them:
 * <ol>
 * <li>The entry point: {@link Engine}, which {@link dev.redlock.Redlock} delegates to.
 * {@link LockContext} holds the objects that all parts share. {@link LockLifecycle} opens
 * and closes the lock. {@link Callbacks} runs the code of users.</li>
 * <li>A request on its way: {@link PendingAttempt} with its {@link AttemptState};
 * {@link PermitRound} and {@link PermitSlots}, which find a free permit;
 * {@link LockPlan}, the request with all defaults, and its {@link ResourceKeys};
 * {@link Deadline}, the end of its wait; {@link AttemptFailure}, the reason for its
 * failure; {@link BlockingAttempt} and {@link Waiting}, for threads that block;
 * {@link RequestNotifier}, for its listener.</li>
 * <li>Waiting: {@link KeyQueues} and {@link KeyQueue}, the requests of this process for
 * the same keys; {@link NextTry}, the time at which the first request asks, with the
 * table of all events; {@link Fairness}, {@link ReleaseSubscription} and
 * {@link RoundTimes}, the sharing of the keys with other processes.</li>
 * <li>A try, its rounds and their tally: {@link Acquisition}, {@link Round},
 * {@link Tally}; {@link Tokens}; {@link TickRound} for jobs. A try ends with a
 * {@link TryResult}, which holds a {@link Grant} if the try was won.</li>
 * <li>The fence: {@link FenceProposals} and {@link FenceSettlement}.</li>
 * <li>A held lease: {@link HeldLease} and its {@link LeaseStatus}; {@link Validity} and
 * {@link Moment}, by the {@link ProcessClock}; {@link LeaseExtension} with its
 * {@link ExtensionRequest}; {@link HeldLeases}, all leases of this process.</li>
 * <li>The end of a lease: {@link LeaseRelease}, {@link Releases} and
 * {@link FailedReleases}.</li>
 * </ol>
 */
@NullMarked
package dev.redlock.internal;

import org.jspecify.annotations.NullMarked;

/**
 * The machinery of a lock, for the modules of this project only. Applications must not
 * use it, because it may change in any release. The machinery uses the public types of
 * {@link dev.redlock} and nothing else of that package.
 * <p>
 * <strong>Words.</strong> A <em>node</em> votes. A <em>round</em> sends one operation to
 * all nodes at once and counts their votes. A <em>try</em> is one acquire round, with the
 * rounds that settle its fence. An <em>attempt</em> is a whole request, with all its
 * tries. A <em>lease</em> is an attempt that was granted; its <em>validity</em> is the
 * time for which it may be trusted. The <em>loop</em> is the one thread that owns all
 * state. Methods run on the loop unless their comments say otherwise.
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

/**
 * The Redlock algorithm: a lock is held only while a majority of independent nodes has
 * granted it.
 * <p>
 * <strong>Words.</strong> A <em>node</em> votes. A <em>round</em> sends one operation to
 * all nodes at once and counts their votes. A <em>try</em> is one acquire round, with the
 * rounds that settle its fence. An <em>attempt</em> is a whole request, with all its
 * tries. A <em>lease</em> is an attempt that was granted; its <em>validity</em> is the
 * time for which it may be trusted. The <em>loop</em> is the one thread that owns all
 * state. Methods of internal types run on it unless their comments say otherwise.
 * <p>
 * <strong>Types</strong>, in the order in which to read them:
 * <ol>
 * <li>Entry point: {@link Redlock}, {@link Redlock.Builder}, {@link RedlockSettings}, and
 * its inputs and results: {@link LockRequest}, {@link LockAttempt}, {@link Lease},
 * {@link LockNotAcquiredException}, {@link LockLostException}.</li>
 * <li>Requests: {@link PendingAttempt} and its states; {@link LockPlan}, the request with
 * all defaults; {@link Deadline} and {@link RetryPause}, its timing;
 * {@link AttemptFailure}, the reason for its failure; {@link BlockingAttempt} and
 * {@link Waiting}, for threads that block.</li>
 * <li>Waiting: {@link KeyQueue} and {@link QueuePlace}, the requests of this process for
 * one key; {@link OtherProcesses} and {@link ReleaseSubscription}, the sharing of the key
 * with other processes.</li>
 * <li>Tries: {@link Acquisition}, {@link Round}, {@link Tally}, {@link FenceSettlement},
 * {@link FenceProposals}, {@link TickRound} for jobs. A try ends with a
 * {@link TryResult}, which holds a {@link Grant} if the try was won.</li>
 * <li>Leases: {@link HeldLease}, {@link LeaseExtension}, {@link LeaseRenewal},
 * {@link LeaseRelease}; {@link Releases}.</li>
 * <li>Notifications: {@link RedlockListener}, {@link RequestListener},
 * {@link RequestNotifier}. Status for people: {@link Inspection}, {@link QuorumStatus}
 * and {@link LeaseSnapshot}.</li>
 * </ol>
 * The contract of a node is in {@link dev.redlock.spi}.
 */
@NullMarked
package dev.redlock;

import org.jspecify.annotations.NullMarked;

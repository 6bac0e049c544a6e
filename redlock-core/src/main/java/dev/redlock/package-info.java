/**
 * The Redlock algorithm: a lock is held only while a majority of independent nodes has
 * granted it.
 * <p>
 * <strong>Words.</strong> A <em>node</em> votes. A <em>round</em> sends one operation to
 * all nodes at once and counts their votes. A <em>try</em> is one acquire round and what
 * it takes to settle its fence. An <em>attempt</em> is a whole request, with all its
 * tries. A <em>lease</em> is an attempt that was granted; its <em>validity</em> is how
 * long it may be trusted. The <em>loop</em> is the one thread that owns all state: each
 * method of the internal types runs on it unless its comment says otherwise.
 * <p>
 * <strong>Families</strong>, in the order in which to read them:
 * <ol>
 * <li>The door: {@link Redlock}, {@link RedlockBuilder}, {@link RedlockSettings}, and
 * what goes in and comes out: {@link LockRequest}, {@link LockAttempt}, {@link Lease},
 * {@link LockNotAcquiredException}, {@link LockLostException}.</li>
 * <li>A request on its way: {@link PendingAttempt} with its states; {@link LockPlan}, the
 * request with all defaults; {@link Deadline} and {@link RetryPause}, how long it goes
 * on; {@link AttemptFailure}, why it has no lease; {@link BlockingAttempt} and
 * {@link Waiting}, where a thread blocks for it.</li>
 * <li>Waiting: {@link KeyQueue} and {@link QueuePlace}, the requests of this process for
 * one key; {@link OtherProcesses} and {@link ReleaseSubscription}, what is heard of other
 * processes and how the key is shared with them.</li>
 * <li>A try: {@link Acquisition}, {@link Round}, {@link Tally}, {@link FenceSettlement},
 * {@link FenceProposals}; its end is a {@link TryResult}, with a {@link Grant} if it was
 * won.</li>
 * <li>A lease: {@link HeldLease}, {@link LeaseExtension}, {@link LeaseRenewal},
 * {@link LeaseExpiry}, {@link LeaseRelease}; {@link Releases}; {@link TakeUp} and
 * {@link Ticket}, from one process to another.</li>
 * <li>Who is told: {@link RedlockListener}, {@link RequestListener},
 * {@link RequestNotifier}, {@link ListenerQueue}; {@link Inspection},
 * {@link QuorumStatus} and {@link LeaseSnapshot} for people.</li>
 * </ol>
 * What a node must do is in {@link dev.redlock.spi}.
 */
@NullMarked
package dev.redlock;

import org.jspecify.annotations.NullMarked;

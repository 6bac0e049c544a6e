package dev.redlock.internal;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import dev.redlock.LockAttempt;
import dev.redlock.LockNotAcquiredException.Reason;
import org.jspecify.annotations.Nullable;

/**
 * A request for a lock, with all its tries, until it has a lease, its time is over, or
 * the caller gives up.
 *
 * <pre>
 *            first in the queue, and its pause is over
 *  WAITING --------------------------------------------&gt; ASKING
 *     ^                                                    |
 *     '----------------------------------------------------'
 *                          refused
 *
 *  To ENDED: from ASKING with a lease, or when refused for the last time; at the start
 *  if this process holds a key on the same nodes and the request does not wait, or would
 *  wait for its own thread; from each state on cancellation and at shutdown; and at the
 *  deadline, which a first try and one that asks for its tick outlive.
 * </pre>
 *
 * A request for which the reason matters ({@link dev.redlock.LockRequest#awaitReason()})
 * stays in ASKING after its last refusal until the votes are certain about the reason.
 */
final class PendingAttempt implements KeyQueue.Waiter, Acquisition.Owner {

	private final LockContext context;

	private final LockPlan plan;

	private final CompletableFuture<LockAttempt> outcome = new CompletableFuture<>();

	private final KeyQueues queues;

	private final HeldLeases leases;

	private final PermitSlots slots;

	/**
	 * The thread that waits, if any. The reference is weak, because a lease keeps its
	 * request, and may outlive the thread.
	 */
	private final @Nullable WeakReference<Thread> thread;

	private final boolean owned;

	private final Deadline deadline;

	private final AttemptFailure failure;

	private AttemptState state = AttemptState.WAITING;

	/**
	 * The queue for the keys, null at the beginning. A request that does not wait may not
	 * have joined the queue.
	 */
	private @Nullable KeyQueue queue;

	/**
	 * The current or last try; null while the request only reads its tick or its permits.
	 */
	private @Nullable Acquisition acquisition;

	private @Nullable TryResult lastResult;

	private int tries;

	/**
	 * Whether this try claims another permit, because another client got the first
	 * permit.
	 */
	private boolean claimsAgain;

	/**
	 * The number of the first try that counts: 2 if try 1 failed because the clocks of
	 * the nodes were unknown.
	 */
	private int firstTry = 1;

	/**
	 * Creates a request that has not begun.
	 * @param leases the leases of this process, to which a new lease is added
	 * @param thread the thread that waits, if any
	 * @param owned whether renewal of the lease stops when that thread ends
	 */
	PendingAttempt(LockContext context, KeyQueues queues, HeldLeases leases, PermitSlots slots, LockPlan plan,
			@Nullable Thread thread, boolean owned) {
		this.context = context;
		this.plan = plan;
		this.slots = slots;
		this.queues = queues;
		this.leases = leases;
		this.thread = (thread != null) ? new WeakReference<>(thread) : null;
		this.owned = owned;
		this.deadline = new Deadline(context, plan);
		this.failure = new AttemptFailure(queues, leases, plan, context.settings().owner(), this.deadline);
	}

	@Override
	public Duration shorten(Duration pause) {
		return this.deadline.shorten(pause);
	}

	@Override
	public LockPlan plan() {
		return this.plan;
	}

	@Override
	public AttemptState state() {
		return this.state;
	}

	/**
	 * Completes with the outcome of the request. This method and the next four methods
	 * are thread-safe.
	 */
	CompletableFuture<LockAttempt> outcome() {
		return this.outcome;
	}

	/** Begins the request. */
	void begin() {
		if (!this.context.loop().post(this::start)) {
			this.outcome.complete(unanswered(Reason.SHUTTING_DOWN));
		}
	}

	/**
	 * Ends the request without a lease, at once if called on the event loop, otherwise in
	 * a later event.
	 */
	void giveUp(Reason reason) {
		if (!this.context.loop().run(() -> end(reason))) {
			this.outcome.complete(unanswered(reason));
		}
	}

	/**
	 * Returns the longest time until the request has an outcome, if the event loop is not
	 * blocked.
	 */
	Duration bound() {
		return this.deadline.bound();
	}

	/** Returns a failed outcome without votes. */
	LockAttempt unanswered(Reason reason) {
		return this.failure.unanswered(reason);
	}

	@Override
	public void ask() {
		this.state = AttemptState.ASKING;
		this.tries++;
		this.acquisition = null;
		this.claimsAgain = false;
		boolean owesAnnouncement = this.queue != null && this.queue.owesAnnouncement();
		if (this.plan.permits() > 0) {
			PermitRound.findFree(this.context, this.plan, this.slots, this::claim);
		}
		else if (this.plan.tick() == null || owesAnnouncement) {
			acquire(this.plan, owesAnnouncement);
		}
		else {
			TickRound.checkTaken(this.context, this.plan, this::tickSeen);
		}
	}

	@Override
	public void ended(TryResult result) {
		leaveSlot();
		Grant grant = result.grant();
		if (grant != null) {
			win(grant, result);
		}
		else if (this.plan.permits() > 0 && !this.claimsAgain) {
			this.acquisition = null;
			// Another client took this permit first. Other permits may be free.
			this.claimsAgain = true;
			PermitRound.findFree(this.context, this.plan, this.slots, this::claim);
		}
		else {
			refused(result);
		}
	}

	private void refused(TryResult result) {
		this.lastResult = result;
		// The votes on a tick do not contain the clocks of the nodes.
		if (this.tries == 1 && this.acquisition != null && this.acquisition.taughtClocks()) {
			this.firstTry = 2;
			ask();
		}
		else if (this.queue != null && this.deadline.allowsAnother(result, this.tries - this.firstTry)) {
			this.state = AttemptState.WAITING;
			this.deadline.watch(this::onDeadline);
			this.queue.refused(this, result);
		}
		else {
			endIfReasonSuffices(result);
		}
	}

	@Override
	public void voted() {
		TryResult last = this.lastResult;
		if (this.state == AttemptState.WAITING && this.queue != null && last != null) {
			this.queue.voted(this, last);
		}
		else if (this.state == AttemptState.ASKING && this.acquisition != null && this.acquisition.isOver()
				&& last != null) {
			endIfReasonSuffices(last);
		}
	}

	private void tickSeen(TryResult result) {
		if (this.state != AttemptState.ASKING) {
			return;
		}
		if (result.isFinal()) {
			this.lastResult = result;
			endForKnownReason();
		}
		else {
			acquire(this.plan, false);
		}
	}

	/**
	 * Claims a permit that seems to be free.
	 * @param slot the plan for this permit, null if no permit seems to be free
	 */
	private void claim(@Nullable LockPlan slot, TryResult refusal) {
		boolean asking = this.state == AttemptState.ASKING;
		if (slot != null && asking) {
			acquire(slot, false);
		}
		else if (slot != null) {
			this.slots.leave(slot);
		}
		else if (asking) {
			refused(refusal);
		}
	}

	private void acquire(LockPlan claimed, boolean owesAnnouncement) {
		this.acquisition = new Acquisition(this.context, claimed, owesAnnouncement, this);
		this.acquisition.start();
	}

	private void start() {
		assert this.context.loop().inLoop();
		if (this.queues.isClosed()) {
			end(Reason.SHUTTING_DOWN);
		}
		if (this.state == AttemptState.ENDED) {
			return;
		}
		if (!this.plan.waits() && this.leases.on(this.plan.keys(), this::hasSameNodes) != null) {
			end(Reason.HELD);
			return;
		}
		LockAttempt own = heldByItsThread();
		if (own != null) {
			end(own);
		}
		else {
			join(this.queues.of(this.plan));
		}
	}

	/**
	 * Returns the outcome if the waiting thread itself holds the keys or all permits,
	 * otherwise null. A request for a permit asks the nodes even if it does not wait.
	 */
	private @Nullable LockAttempt heldByItsThread() {
		Thread waiting = (this.thread != null) ? this.thread.get() : null;
		HeldLease held = null;
		if (this.plan.permits() == 0) {
			held = this.leases.on(this.plan.keys(), (lease) -> lease.isOwnedBy(waiting));
		}
		else if (this.plan.waits()) {
			for (String key : this.plan.slotKeys(this.plan.permits())) {
				held = this.leases.on(List.of(key), (lease) -> lease.isOwnedBy(waiting));
				if (held == null) {
					return null;
				}
			}
		}
		return (held != null) ? this.failure.heldByThisThread(held) : null;
	}

	private boolean hasSameNodes(HeldLease lease) {
		return lease.plan().nodes().equals(this.plan.nodes());
	}

	/**
	 * Joins the queue. A request that does not wait asks at once if another request is
	 * first.
	 */
	private void join(KeyQueue own) {
		this.queue = own;
		if (!this.plan.waits() && !own.isEmpty()) {
			ask();
			return;
		}
		own.join(this);
		if (this.state == AttemptState.WAITING) {
			this.deadline.watch(this::onDeadline);
		}
	}

	private void win(Grant grant, TryResult result) {
		this.state = AttemptState.ENDED;
		this.deadline.cancel();
		KeyQueue own = Objects.requireNonNull(this.queue);
		LockPlan granted = Objects.requireNonNull(this.acquisition).plan();
		HeldLease held = new HeldLease(this.context, granted, grant, own, this, this.owned ? this.thread : null,
				this.leases);
		// The lease refers to this request, and does not need the tries of the request.
		this.acquisition = null;
		this.lastResult = null;
		held.start();
		LockAttempt won = LockAttempt.won(held, result.votes().named(), this.tries, this.deadline.waited());
		if (!this.outcome.complete(won)) {
			held.releaseUnused();
		}
	}

	private void leaveSlot() {
		this.slots.leave(Objects.requireNonNull(this.acquisition).plan());
	}

	private void endIfReasonSuffices(TryResult result) {
		if (!this.plan.awaitReason() || !result.mayChange()) {
			endForKnownReason();
		}
	}

	/**
	 * Ends the request when its time to wait is over. A first try may still finish, and
	 * its result ends the request. A try that asks for its tick may also finish, because
	 * nodes may have marked the tick already, and the tick would be lost.
	 */
	private void onDeadline() {
		boolean marks = this.acquisition != null && this.acquisition.awaitsTick();
		if ((this.tries <= this.firstTry || marks) && this.state == AttemptState.ASKING) {
			// A try without a result must not keep its request waiting for ever.
			Duration rest = this.plan.longestTry().plus(this.plan.nodeTimeout());
			this.deadline.prolong(rest, this::endForKnownReason);
		}
		else {
			endForKnownReason();
		}
	}

	private void endForKnownReason() {
		end(this.failure.reason(this.lastResult, this.tries));
	}

	private void end(Reason reason) {
		if (this.state != AttemptState.ENDED) {
			boolean mayBeMarked = this.plan.marksTickFirst() && this.acquisition != null
					&& this.acquisition.awaitsTick();
			end(this.failure.report(mayBeMarked ? Reason.TICK_LOST : reason, this.lastResult, this.acquisition,
					this.tries));
		}
	}

	/** Ends the request with a failure, and abandons its current try. */
	private void end(LockAttempt failed) {
		this.state = AttemptState.ENDED;
		this.deadline.cancel();
		if (this.acquisition != null && !this.acquisition.isOver()) {
			leaveSlot();
			this.acquisition.abandon();
		}
		this.outcome.complete(failed);
		if (this.queue != null) {
			this.queue.leave(this);
		}
	}

}

package dev.redlock.internal.request;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import dev.redlock.LockAttempt;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.internal.lease.HeldLease;
import dev.redlock.internal.lease.HeldLeases;
import dev.redlock.internal.plan.Deadline;
import dev.redlock.internal.plan.LockPlan;
import dev.redlock.internal.vote.Acquisition;
import dev.redlock.internal.vote.HandOver;
import dev.redlock.internal.vote.LockContext;
import dev.redlock.internal.vote.TickRound;
import dev.redlock.internal.vote.Verdict;
import dev.redlock.internal.vote.Verdict.Failed;
import dev.redlock.internal.waiting.KeyQueue;
import dev.redlock.internal.waiting.KeyQueues;
import org.jspecify.annotations.Nullable;

/**
 * A request for a lock, with all its tries, until it has a lease or has failed. A refused
 * request with {@link dev.redlock.LockRequest#awaitReason()} ends only when further votes
 * of nodes cannot change the reason.
 */
public final class PendingAttempt implements KeyQueue.Waiter, Acquisition.Owner {

	private final LockContext context;

	private final LockPlan plan;

	private final CompletableFuture<LockAttempt> outcome = new CompletableFuture<>();

	private final KeyQueues queues;

	private final HeldLeases leases;

	/**
	 * The asking thread is referenced weakly, because a lease keeps its request and may
	 * outlive the thread.
	 */
	private final @Nullable WeakReference<Thread> thread;

	private final boolean owned;

	private final Deadline deadline;

	private final AttemptFailure failure;

	private AttemptState state = AttemptState.WAITING;

	private @Nullable KeyQueue queue;

	private @Nullable Acquisition acquisition;

	private @Nullable Failed lastFailure;

	private int tries;

	private boolean triesSecondPermit;

	/**
	 * The try from which retries are counted: a later one if a try was repeated at once.
	 */
	private int firstTry = 1;

	/**
	 * Whether the request has had its try after a pause of this process.
	 */
	private boolean askedAfterPause;

	public PendingAttempt(LockContext context, KeyQueues queues, HeldLeases leases, LockPlan plan,
			@Nullable Thread thread, boolean owned) {
		this.context = context;
		this.plan = plan;
		this.queues = queues;
		this.leases = leases;
		this.thread = (thread != null) ? new WeakReference<>(thread) : null;
		this.owned = owned;
		this.deadline = new Deadline(context.loop(), context.ticker(), plan);
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

	/**
	 * Thread-safe.
	 */
	public CompletableFuture<LockAttempt> outcome() {
		return this.outcome;
	}

	/** Thread-safe. */
	public void begin() {
		if (!this.context.loop().post(this::start)) {
			this.outcome.complete(unanswered(Reason.SHUTTING_DOWN));
		}
	}

	/**
	 * Ends the request without a lease, in a later event if the caller is not the event
	 * loop. Thread-safe.
	 */
	public void cancel(Reason reason) {
		if (!this.context.loop().run(() -> end(reason))) {
			this.outcome.complete(unanswered(reason));
		}
	}

	/**
	 * Thread-safe.
	 */
	Deadline deadline() {
		return this.deadline;
	}

	/** Thread-safe. */
	LockAttempt unanswered(Reason reason) {
		return this.failure.unanswered(reason);
	}

	@Override
	public void ask(@Nullable HandOver handOver) {
		this.state = AttemptState.ASKING;
		this.tries++;
		this.acquisition = null;
		this.triesSecondPermit = false;
		if (this.plan.permits() > 0) {
			this.context.permits().findFree(this.plan, this::claim);
		}
		else if (this.plan.tick() == null || handOver != null) {
			acquire(this.plan, handOver);
		}
		else {
			TickRound.checkTaken(this.context, this.plan, this::tickSeen);
		}
	}

	@Override
	public void ended(Verdict verdict) {
		unreservePermit();
		if (verdict instanceof Verdict.Won won) {
			win(won);
		}
		else if (this.plan.permits() > 0 && !this.triesSecondPermit) {
			this.acquisition = null;
			// Another client took the chosen permit first, but other permits may be free.
			this.triesSecondPermit = true;
			this.context.permits().findFree(this.plan, this::claim);
		}
		else {
			refused((Failed) verdict);
		}
	}

	private void refused(Failed failure) {
		this.lastFailure = failure;
		if (this.plan.ticket() == null && !failure.endsRequest() && isRepeated()) {
			this.firstTry = this.tries + 1;
			ask(null);
		}
		else if (this.queue != null && mayTryAgain(failure)) {
			this.state = AttemptState.WAITING;
			this.deadline.startTimer(this::onDeadline);
			this.queue.refused(this, failure);
		}
		else {
			endIfReasonSuffices(failure);
		}
	}

	private boolean mayTryAgain(Failed failure) {
		return !failure.endsRequest() && this.deadline.allowsAnother(this.tries - this.firstTry)
				&& (failure.reason() != Reason.NO_QUORUM || this.plan.mayReachQuorum(this.deadline.left()));
	}

	private boolean isRepeated() {
		Acquisition failed = this.acquisition;
		if (failed == null) {
			return false;
		}
		// The votes of the failed try contain the clocks of the nodes, so the next
		// proposed fence will fit.
		if (this.tries == 1 && failed.failedForUnknownClocks()) {
			return true;
		}
		boolean paused = !this.askedAfterPause && failed.wasPaused();
		this.askedAfterPause |= paused;
		return paused;
	}

	@Override
	public void voted() {
		Failed last = this.lastFailure;
		if (this.state == AttemptState.WAITING && this.queue != null && last != null) {
			this.queue.voted(this, last);
		}
		else if (this.state == AttemptState.AWAITING_REASON && last != null) {
			endIfReasonSuffices(last);
		}
	}

	private void tickSeen(@Nullable Failed failure) {
		if (this.state != AttemptState.ASKING) {
			return;
		}
		if (failure != null && failure.endsRequest()) {
			this.lastFailure = failure;
			endForKnownReason();
		}
		else {
			acquire(this.plan, null);
		}
	}

	private void claim(@Nullable LockPlan slot, Failed refusal) {
		boolean asking = this.state == AttemptState.ASKING;
		if (slot != null && asking) {
			acquire(slot, null);
		}
		else if (slot != null) {
			this.context.permits().unreserve(slot);
		}
		else if (asking) {
			refused(refusal);
		}
	}

	private void acquire(LockPlan claimed, @Nullable HandOver handOver) {
		this.acquisition = new Acquisition(this.context, claimed, handOver, this);
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
	 * A request fails at once if its own thread holds the lock, or holds all permits of
	 * the resource.
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
	 * A request that does not wait asks the nodes at once, even if another request is
	 * first in the queue.
	 */
	private void join(KeyQueue own) {
		this.queue = own;
		if (!this.plan.waits() && !own.isEmpty()) {
			ask(null);
			return;
		}
		own.join(this);
		if (this.state == AttemptState.WAITING) {
			this.deadline.startTimer(this::onDeadline);
		}
	}

	private void win(Verdict.Won verdict) {
		this.state = AttemptState.ENDED;
		this.deadline.cancel();
		KeyQueue own = Objects.requireNonNull(this.queue);
		Acquisition granted = Objects.requireNonNull(this.acquisition);
		HeldLease held = new HeldLease(this.context, granted.plan(), verdict.grant(), own, this, this.thread,
				this.owned, this.leases);
		// The lease keeps a reference to its request, but does not need the tries of the
		// request.
		this.acquisition = null;
		this.lastFailure = null;
		own.won(this, granted.isHandedOver());
		held.start();
		LockAttempt won = LockAttempt.won(held, verdict.votes().named(), this.tries, this.deadline.waited());
		if (!this.outcome.complete(won)) {
			held.releaseUnused();
		}
	}

	private void unreservePermit() {
		this.context.permits().unreserve(Objects.requireNonNull(this.acquisition).plan());
	}

	private void endIfReasonSuffices(Failed failure) {
		if (this.plan.awaitReason() && failure.reasonMayChange()) {
			this.state = AttemptState.AWAITING_REASON;
		}
		else {
			endForKnownReason();
		}
	}

	/**
	 * Ends the request, but lets a running first try finish, and gives the request one
	 * try if this process was paused until its time was over. A try that is recording a
	 * job's run must finish, because some nodes may already have the record.
	 */
	private void onDeadline() {
		boolean marks = this.acquisition != null && this.acquisition.asksForTick();
		boolean paused = !this.askedAfterPause && this.deadline.wasOverslept(this.plan.waitFor());
		// A try without a result must not keep its request waiting for ever.
		Duration rest = this.plan.longestTry().plus(this.plan.nodeTimeout());
		if (paused && this.state == AttemptState.WAITING && this.queue != null) {
			this.askedAfterPause = true;
			this.deadline.restartTimer(rest, this::endForKnownReason);
			// Each request that was paused asks for itself, whatever its place was.
			this.queue.leave(this);
			ask(null);
		}
		else if ((this.tries <= this.firstTry || marks || paused) && this.state != AttemptState.WAITING) {
			this.deadline.restartTimer(rest, this::endForKnownReason);
		}
		else {
			endForKnownReason();
		}
	}

	private void endForKnownReason() {
		end(this.failure.reason(this.lastFailure, this.tries));
	}

	private void end(Reason reason) {
		if (this.state != AttemptState.ENDED) {
			boolean mayBeMarked = this.plan.marksTickFirst() && this.acquisition != null
					&& this.acquisition.asksForTick();
			end(this.failure.report(mayBeMarked ? Reason.TICK_LOST : reason, this.lastFailure, this.acquisition,
					this.tries));
		}
	}

	private void end(LockAttempt failed) {
		this.state = AttemptState.ENDED;
		this.deadline.cancel();
		if (this.acquisition != null && !this.acquisition.isOver()) {
			unreservePermit();
			this.acquisition.abandon();
		}
		this.outcome.complete(failed);
		if (this.queue != null) {
			this.queue.leave(this);
		}
	}

}

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
import dev.redlock.internal.request.Step.Rest;
import dev.redlock.internal.vote.HandOver;
import dev.redlock.internal.vote.LockContext;
import dev.redlock.internal.vote.Verdict.Failed;
import dev.redlock.internal.vote.Verdict.Won;
import dev.redlock.internal.waiting.KeyQueue;
import dev.redlock.internal.waiting.KeyQueues;
import org.jspecify.annotations.Nullable;

/**
 * A request for a lock, until it has a lease or has failed. After a refused {@link Try},
 * the request makes another at once, waits in its queue for the next, or ends. With
 * {@link dev.redlock.LockRequest#awaitReason()}, it ends only when further votes of nodes
 * cannot change the reason.
 */
public final class PendingAttempt implements KeyQueue.Waiter {

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

	private Step step = Rest.WAITING;

	private @Nullable KeyQueue queue;

	private @Nullable Failed lastFailure;

	private int tries;

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
		this.failure = new AttemptFailure(leases, plan, context.settings().owner(), this.deadline);
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
		Try next = new Try(this.context, this.plan, this);
		this.step = next;
		this.tries++;
		next.start(handOver);
	}

	void won(Won verdict) {
		// The lease keeps a reference to its request, but does not need the tries of the
		// request.
		this.step = Rest.ENDED;
		this.lastFailure = null;
		this.deadline.cancel();
		HeldLease held = new HeldLease(this.context, verdict.grant(), queue(), this, this.thread, this.owned,
				this.leases);
		queue().won(this, verdict.handedOver());
		held.start();
		LockAttempt won = LockAttempt.won(held, verdict.votes().named(), this.tries, this.deadline.waited());
		if (!this.outcome.complete(won)) {
			held.releaseUnused();
		}
	}

	void refused(Try refused, Failed failure) {
		this.lastFailure = failure;
		if (this.plan.ticket() == null && !failure.endsRequest() && takeExtraTry(refused, failure)) {
			this.firstTry = this.tries + 1;
			ask(null);
		}
		else if (mayTryAgain(failure)) {
			this.step = Rest.WAITING;
			this.deadline.startTimer(this::onDeadline);
			queue().refused(this, failure);
		}
		else {
			this.step = Rest.AWAITING_REASON;
			endIfReasonSuffices(failure);
		}
	}

	/**
	 * Called for each vote on any try, even if the try has its verdict.
	 */
	void voted() {
		Failed last = this.lastFailure;
		if (this.step == Rest.WAITING && last != null) {
			queue().voted(this, last);
		}
		else if (this.step == Rest.AWAITING_REASON && last != null) {
			endIfReasonSuffices(last);
		}
	}

	private boolean mayTryAgain(Failed failure) {
		return !failure.endsRequest() && this.deadline.allowsAnother(this.tries - this.firstTry)
				&& (failure.reason() != Reason.NO_QUORUM || this.plan.mayReachQuorum(this.deadline.left()));
	}

	/**
	 * Returns whether the request asks once more at once, and notes that its try after a
	 * pause is used up.
	 */
	private boolean takeExtraTry(Try refused, Failed failure) {
		// The votes of the refused try contain the clocks of the nodes, so the next
		// proposed fence will fit.
		if (this.tries == 1 && failure.isForUnknownClocks()) {
			return true;
		}
		boolean paused = !this.askedAfterPause && refused.wasPaused();
		this.askedAfterPause |= paused;
		return paused;
	}

	private void start() {
		assert this.context.loop().inLoop();
		if (this.step == Rest.ENDED) {
			return;
		}
		LockAttempt own = heldByItsThread();
		if (this.queues.isClosed()) {
			end(Reason.SHUTTING_DOWN);
		}
		else if (!this.plan.waits() && this.leases.on(this.plan.keys(), this::hasSameNodes) != null) {
			end(Reason.HELD);
		}
		else if (own != null) {
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
		if (this.step == Rest.WAITING) {
			this.deadline.startTimer(this::onDeadline);
		}
	}

	private void endIfReasonSuffices(Failed failure) {
		if (!this.plan.awaitReason() || !failure.reasonMayChange()) {
			endForKnownReason();
		}
	}

	/**
	 * Ends the request, but lets a running first try finish, and gives the request one
	 * try if this process was paused until its time was over. A try that is recording a
	 * job's run must finish, because some nodes may already have the record.
	 */
	private void onDeadline() {
		boolean marks = this.step instanceof Try current && current.asksForTick();
		boolean paused = !this.askedAfterPause && this.deadline.wasOverslept(this.plan.waitFor());
		// A try without a result must not keep its request waiting for ever.
		Duration rest = this.plan.longestTry().plus(this.plan.nodeTimeout());
		if (paused && this.step == Rest.WAITING) {
			this.askedAfterPause = true;
			this.deadline.restartTimer(rest, this::endForKnownReason);
			// Each request that was paused asks for itself, whatever its place was.
			queue().leave(this);
			ask(null);
		}
		else if ((this.tries <= this.firstTry || marks || paused) && this.step != Rest.WAITING) {
			this.deadline.restartTimer(rest, this::endForKnownReason);
		}
		else {
			endForKnownReason();
		}
	}

	private void endForKnownReason() {
		end(this.failure.reason(lastRefusal(), this.tries));
	}

	private void end(Reason reason) {
		if (this.step != Rest.ENDED) {
			Try current = (this.step instanceof Try underWay) ? underWay : null;
			boolean mayBeMarked = this.plan.marksTickFirst() && current != null && current.asksForTick();
			end(this.failure.report(mayBeMarked ? Reason.TICK_LOST : reason, lastRefusal(),
					(current != null) ? current.votes() : null, this.tries));
		}
	}

	private void end(LockAttempt failed) {
		Step last = this.step;
		this.step = Rest.ENDED;
		this.deadline.cancel();
		if (last instanceof Try current) {
			current.abandon();
		}
		this.outcome.complete(failed);
		if (this.queue != null) {
			this.queue.leave(this);
		}
	}

	private @Nullable Failed lastRefusal() {
		return (this.tries > 0) ? this.lastFailure : this.queues.of(this.plan).lastRefusal();
	}

	private KeyQueue queue() {
		return Objects.requireNonNull(this.queue);
	}

}

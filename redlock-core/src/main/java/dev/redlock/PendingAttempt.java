package dev.redlock;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.redlock.LockNotAcquiredException.Reason;
import org.jspecify.annotations.Nullable;

/**
 * A request for a lock, with all its tries, until it has a lease, its time is over, or
 * the caller gives up.
 *
 * <pre>
 *           first of this process            refused
 *  QUEUED -----------------------&gt; ASKING ------------&gt; PAUSED
 *     |                            |   ^                   |
 *     | first, but a pause is left |   '-------------------'
 *     '----------&gt; PAUSED          |     time, or a release
 *                                  | refused for the last time, reason not certain
 *                                  '-----------&gt; EXPLAINING
 *
 *  To ENDED: from ASKING with a lease or a certain reason, from EXPLAINING once the
 *  reason is certain, from QUEUED if this process holds the key already, and from each
 *  state at the deadline, on cancellation and at shutdown.
 * </pre>
 */
final class PendingAttempt implements QueuePlace.Waiter, Acquisition.Owner {

	private final LockContext context;

	private final KeyQueues queues;

	private final HeldLeases leases;

	private final LockPlan plan;

	private final @Nullable Thread thread;

	private final @Nullable WeakReference<Thread> owner;

	private final Deadline deadline;

	private final AttemptFailure failure;

	private final RetryPause retryPause;

	private final CompletableFuture<LockAttempt> outcome = new CompletableFuture<>();

	private AttemptState state = AttemptState.QUEUED;

	/** The place in the queues, which a single try may leave unused. */
	private final QueuePlace place;

	private @Nullable Acquisition acquisition;

	private @Nullable TryResult lastResult;

	private int tries;

	/** Whether another try became worthwhile during the current one. */
	private boolean newsDuringTry;

	/**
	 * Creates a request that has not begun.
	 * @param leases the leases of this process, to which a new lease is added
	 * @param thread the thread that waits, if one does
	 * @param owned whether that thread will own the lease
	 */
	PendingAttempt(LockContext context, KeyQueues queues, HeldLeases leases, LockPlan plan, @Nullable Thread thread,
			boolean owned) {
		this.context = context;
		this.queues = queues;
		this.leases = leases;
		this.plan = plan;
		this.thread = thread;
		this.owner = (owned && thread != null) ? new WeakReference<>(thread) : null;
		this.deadline = new Deadline(context, plan);
		this.failure = new AttemptFailure(queues, plan, context.settings().owner(), this.deadline);
		this.retryPause = new RetryPause(context, plan);
		this.place = new QueuePlace(queues, plan, this, this.owner);
	}

	LockPlan plan() {
		return this.plan;
	}

	/** Completes with the outcome of the request. Thread-safe. */
	CompletableFuture<LockAttempt> outcome() {
		return this.outcome;
	}

	/** The longest time until there is an outcome, if the loop is not blocked. */
	Duration bound() {
		return this.deadline.bound();
	}

	/** Begins the request. Thread-safe. */
	void begin() {
		if (!this.context.loop().post(this::start)) {
			this.outcome.complete(unanswered(Reason.SHUTTING_DOWN));
		}
	}

	/**
	 * Ends the request without a lease: at once on the loop, otherwise soon. Thread-safe.
	 */
	void giveUp(Reason reason) {
		if (!this.context.loop().run(() -> end(reason))) {
			this.outcome.complete(unanswered(reason));
		}
	}

	/** Returns a failed outcome without votes. Thread-safe. */
	LockAttempt unanswered(Reason reason) {
		return this.failure.unanswered(reason);
	}

	@Override
	public void onFirst() {
		Duration pause = this.plan.waits() ? this.place.pause() : Duration.ZERO;
		if (pause.isZero()) {
			askNow();
		}
		else {
			this.state = AttemptState.PAUSED;
			pauseFor(pause);
			this.place.subscribe();
		}
	}

	@Override
	public void askNow() {
		this.retryPause.cancel();
		this.state = AttemptState.ASKING;
		this.tries++;
		this.newsDuringTry = false;
		boolean owesAnnouncement = this.place.owesAnnouncement();
		if (this.plan.tick() == null || owesAnnouncement) {
			acquire(owesAnnouncement);
		}
		else {
			TickRound.look(this.context, this.plan, this::looked);
		}
	}

	@Override
	public void onNews(Duration pause) {
		this.retryPause.startAnew();
		if (this.state != AttemptState.PAUSED) {
			this.newsDuringTry = true;
		}
		else if (pause.isZero()) {
			askNow();
		}
		else {
			// The earlier pause would end too late: another process would have the lock
			// by then.
			pauseFor(pause);
		}
	}

	@Override
	public void ended(TryResult result) {
		Grant grant = result.grant();
		if (grant != null) {
			win(grant, result);
			return;
		}
		this.lastResult = result;
		if (this.tries == 1 && result.taughtClocks()) {
			askNow();
		}
		else {
			pauseOrFail(result);
		}
	}

	@Override
	public void voted() {
		TryResult last = this.lastResult;
		if (this.state == AttemptState.EXPLAINING && last != null && !last.mayChange()) {
			endForKnownReason();
		}
	}

	private void looked(TryResult result) {
		if (this.state != AttemptState.ASKING) {
			return;
		}
		if (result.isFinal()) {
			this.lastResult = result;
			endForKnownReason();
		}
		else {
			acquire(false);
		}
	}

	private void acquire(boolean owesAnnouncement) {
		this.acquisition = new Acquisition(this.context, this.plan, owesAnnouncement, this);
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
		QueuePlace holder = this.queues.holderOf(this.plan.keys());
		if (holder != null && !this.plan.waits()) {
			end(Reason.HELD);
		}
		else if (holder != null && holder.isOwnedBy(this.thread)) {
			end(this.failure.heldByThisThread(holder));
		}
		else if (this.plan.waits() || this.queues.areFree(this.plan.keys())) {
			joinQueues();
		}
		else {
			askNow();
		}
	}

	private void joinQueues() {
		this.place.join();
		if (this.state == AttemptState.QUEUED || this.state == AttemptState.PAUSED) {
			this.deadline.watch(this::onDeadline);
		}
	}

	private void win(Grant grant, TryResult result) {
		this.state = AttemptState.ENDED;
		this.deadline.cancel();
		this.retryPause.cancel();
		HeldLease lease = new HeldLease(this.context, this.plan, grant, this.place, this.owner, this.leases);
		lease.start();
		LockAttempt won = LockAttempt.won(lease, result.votes().named(), this.tries, this.deadline.waited());
		if (!this.outcome.complete(won)) {
			lease.releaseUnused();
		}
	}

	private void pauseOrFail(TryResult result) {
		if (!this.deadline.allowsAnother(result, this.tries)) {
			// The reason depends on which owner holds the key, and some nodes may not
			// have reported that yet.
			if (result.mayChange()) {
				this.state = AttemptState.EXPLAINING;
			}
			else {
				endForKnownReason();
			}
			return;
		}
		boolean toldBefore = this.newsDuringTry;
		Duration pause = toldBefore ? this.place.pause() : this.retryPause.after(result, this.place);
		this.place.refused(result, pause);
		this.state = AttemptState.PAUSED;
		this.deadline.watch(this::onDeadline);
		pauseFor(pause);
		if (!toldBefore && this.newsDuringTry) {
			// Choosing the pause completed the subscription, and a release before it may
			// have been missed.
			onNews(Duration.ZERO);
		}
	}

	private void pauseFor(Duration pause) {
		this.retryPause.start(this.deadline.atMost(pause), () -> {
			if (this.state == AttemptState.PAUSED) {
				askNow();
			}
		});
	}

	/**
	 * Ends the request when its time to wait is over. A first try that is still running
	 * may finish, as it could without a wait, and ends the request with its result. So
	 * may a try that has begun to mark its tick, which would be lost.
	 */
	private void onDeadline() {
		TryResult last = this.lastResult;
		boolean firstTry = this.tries <= 1 || (this.tries == 2 && last != null && last.taughtClocks());
		boolean marks = this.acquisition != null && this.acquisition.settlesTick();
		boolean asks = this.state == AttemptState.ASKING || this.state == AttemptState.EXPLAINING;
		if ((firstTry || marks) && asks) {
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
					&& this.acquisition.settlesTick();
			end(this.failure.report(mayBeMarked ? Reason.TICK_LOST : reason, this.lastResult, this.acquisition,
					this.tries));
		}
	}

	/** Ends the request with a failure, and abandons its current try. */
	private void end(LockAttempt failed) {
		this.state = AttemptState.ENDED;
		this.deadline.cancel();
		this.retryPause.cancel();
		if (this.acquisition != null) {
			this.acquisition.abandon();
		}
		this.outcome.complete(failed);
		this.place.leave();
	}

}

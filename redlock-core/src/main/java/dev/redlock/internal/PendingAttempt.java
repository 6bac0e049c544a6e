package dev.redlock.internal;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.redlock.LockAttempt;
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

	/** Whether another try became worthwhile since the last one began. */
	private boolean news;

	/**
	 * The reason for the current pause, as far as the votes of the last try told it.
	 */
	private @Nullable Reason pausedFor;

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
		this.place = new QueuePlace(queues, plan, this, this.owner);
		this.retryPause = new RetryPause(context, plan, this.place);
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
		this.news = false;
		this.pausedFor = null;
		boolean owesAnnouncement = this.place.owesAnnouncement();
		if (this.plan.tick() == null || owesAnnouncement) {
			acquire(owesAnnouncement);
		}
		else {
			TickRound.look(this.context, this.plan, this::looked);
		}
	}

	@Override
	public void onNews() {
		this.news = true;
		if (this.state == AttemptState.PAUSED) {
			askAfterNews();
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
		if (last == null) {
			return;
		}
		if (this.state == AttemptState.EXPLAINING && !last.mayChange()) {
			endForKnownReason();
		}
		else if (this.state == AttemptState.PAUSED && this.pausedFor != null && this.pausedFor != last.latestReason()) {
			pause(last);
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
		pause(result);
	}

	/**
	 * Pauses as the votes of the last try say. Called again when a later vote says
	 * something else.
	 */
	private void pause(TryResult result) {
		Duration pause = this.retryPause.after(result);
		// If there was news, the release that the votes do not show may have been
		// announced.
		this.place.refused(result, this.news ? pauseAfterNews() : pause);
		this.pausedFor = result.latestReason();
		this.state = AttemptState.PAUSED;
		this.deadline.watch(this::onDeadline);
		if (this.news) {
			askAfterNews();
		}
		else {
			pauseFor(pause);
		}
	}

	private void askAfterNews() {
		Duration pause = pauseAfterNews();
		if (pause.isZero()) {
			askNow();
		}
		else {
			pauseFor(pause);
		}
	}

	/**
	 * Returns how long to pause when another try is worthwhile. A longer pause would end
	 * too late: another process would have the lock by then. But a backoff is not
	 * shortened, because its rivals have received the same news.
	 */
	private Duration pauseAfterNews() {
		Duration yields = this.place.yields();
		Duration backoff = this.retryPause.backoff();
		return (yields.compareTo(backoff) > 0) ? yields : backoff;
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

package dev.redlock;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.spi.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * One request for a lock, with all its tries, until it has a lease, its time is over, or
 * the caller gives up.
 *
 * <pre>
 *           first of this process            refused
 *  QUEUED -----------------------&gt; ASKING ------------&gt; PAUSED
 *     |                            |   ^                   |
 *     | first, and other processes |   '-------------------'
 *     | are due                    |     time, or a release
 *     '----------&gt; PAUSED          |
 *                                  | refused, and no time or retry is left
 *                                  '-----------&gt; EXPLAINING
 *
 *  ASKING with a lease, EXPLAINING when it is known why there is none, and each state
 *  at the deadline, on cancellation and at shutdown: &gt; ENDED
 * </pre>
 */
final class PendingAttempt implements QueuePlace.Waiter, Acquisition.Owner {

	private static final String THIS_THREAD = "this thread holds the lock already, by acquire() or tryAcquire(): close "
			+ "that lease first";

	private final LockContext context;

	private final KeyQueues queues;

	private final Set<HeldLease> leases;

	private final LockPlan plan;

	private final @Nullable Thread thread;

	private final @Nullable WeakReference<Thread> owner;

	private final Deadline deadline;

	private final RetryPause retryPause;

	private final CompletableFuture<LockAttempt> outcome = new CompletableFuture<>();

	private State state = State.QUEUED;

	/** The place in the queues, or null when a single try passes them by. */
	private @Nullable QueuePlace place;

	private @Nullable Acquisition acquisition;

	private @Nullable TryResult lastResult;

	private int tries;

	private long newsBefore;

	private Scheduler.@Nullable Timeout deadlineTimer;

	private Scheduler.@Nullable Timeout pauseTimer;

	/**
	 * A request that has not begun.
	 * @param leases the leases of this process, where a new one is added
	 * @param thread the thread that waits, if one does
	 * @param owned whether that thread is to own the lease
	 */
	PendingAttempt(LockContext context, KeyQueues queues, Set<HeldLease> leases, LockPlan plan, @Nullable Thread thread,
			boolean owned) {
		this.context = context;
		this.queues = queues;
		this.leases = leases;
		this.plan = plan;
		this.thread = thread;
		this.owner = (owned && thread != null) ? new WeakReference<>(thread) : null;
		this.deadline = new Deadline(context, plan);
		this.retryPause = new RetryPause(context, plan);
	}

	LockPlan plan() {
		return this.plan;
	}

	/**
	 * Completes with how the request ended. Thread-safe.
	 */
	CompletableFuture<LockAttempt> outcome() {
		return this.outcome;
	}

	/**
	 * By when there is an outcome if the loop runs as it should.
	 */
	Duration bound() {
		return this.deadline.bound();
	}

	/**
	 * Begins. Thread-safe, as is {@link #giveUp}.
	 */
	void begin() {
		if (!this.context.loop().post(this::start)) {
			this.outcome.complete(unanswered(Reason.SHUTTING_DOWN));
		}
	}

	/**
	 * Ends without a lease, soon; at once if called on the loop. The releases are on
	 * their way before the caller is told.
	 */
	void giveUp(Reason reason) {
		if (this.context.loop().inLoop()) {
			end(reason);
		}
		else if (!this.context.loop().post(() -> end(reason))) {
			this.outcome.complete(unanswered(reason));
		}
	}

	/**
	 * An end of which no more is known than its reason.
	 */
	LockAttempt unanswered(Reason reason) {
		return LockAttempt.failed(this.plan.resources(), reason, List.of(), 0, this.deadline.waited());
	}

	@Override
	public void onFirst() {
		QueuePlace mine = this.place;
		Duration pause = (mine != null) ? mine.pause() : Duration.ZERO;
		if (mine == null || pause.isZero()) {
			askNow();
		}
		else {
			this.state = State.PAUSED;
			pauseFor(pause);
			mine.subscribe();
		}
	}

	@Override
	public void askNow() {
		cancel(this.pauseTimer);
		this.state = State.ASKING;
		this.tries++;
		this.newsBefore = (this.place != null) ? this.place.news() : 0;
		boolean owesAnnouncement = this.place != null && this.place.owesAnnouncement();
		this.acquisition = new Acquisition(this.context, this.plan, owesAnnouncement, this);
		this.acquisition.start();
	}

	@Override
	public void onNews(Duration pause) {
		this.retryPause.startAnew();
		if (this.state != State.PAUSED) {
			return;
		}
		if (pause.isZero()) {
			askNow();
		}
		else {
			// In the place of a pause that was about something before: after
			// that one another process would have the lock.
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
	public void explained(Acquisition which) {
		if (this.state == State.EXPLAINING && which == this.acquisition) {
			end(lastReason());
		}
	}

	private void start() {
		assert this.context.loop().inLoop();
		if (this.state == State.ENDED) {
			return;
		}
		if (this.queues.isClosed()) {
			end(Reason.SHUTTING_DOWN);
			return;
		}
		QueuePlace holder = this.queues.holderOf(this.plan.keys());
		if (!this.plan.waits()) {
			tryOnce(holder);
		}
		else if (holder != null && holder.isOwnedBy(this.thread)) {
			end(LockAttempt.failed(this.plan.resources(), Reason.HELD, List.of(heldBy(THIS_THREAD, holder)), 0,
					Duration.ZERO));
		}
		else {
			this.place = new QueuePlace(this.queues, this.plan, this, this.owner);
			this.place.join();
			if (this.state == State.QUEUED || this.state == State.PAUSED) {
				watchDeadline();
			}
		}
	}

	private void tryOnce(@Nullable QueuePlace holder) {
		if (holder != null) {
			end(Reason.HELD);
			return;
		}
		if (this.queues.areFree(this.plan.keys())) {
			this.place = new QueuePlace(this.queues, this.plan, this, this.owner);
			this.place.takeFree();
		}
		askNow();
	}

	private void win(Grant grant, TryResult result) {
		this.state = State.ENDED;
		cancel(this.deadlineTimer);
		cancel(this.pauseTimer);
		HeldLease lease = new HeldLease(this.context, this.plan, grant, this.place, this.owner, this.leases);
		lease.start();
		LockAttempt won = LockAttempt.won(lease, result.votes().named(), this.tries, this.deadline.waited());
		if (!this.outcome.complete(won)) {
			lease.releaseAsync();
		}
	}

	private void pauseOrFail(TryResult result) {
		QueuePlace mine = this.place;
		boolean outOfRetries = this.plan.retryCount() >= 0 && this.tries > this.plan.retryCount();
		boolean hopeless = result.reason() == Reason.NO_QUORUM && this.deadline.isHopeless();
		if (mine == null || this.deadline.isOver() || outOfRetries || hopeless) {
			// The reason depends on which owner stands in the way, and not all nodes may
			// have told.
			if (result.mayChange()) {
				this.state = State.EXPLAINING;
			}
			else {
				end(lastReason());
			}
			return;
		}
		boolean missedNews = mine.news() != this.newsBefore;
		Duration pause = missedNews ? mine.pause() : this.retryPause.after(result, mine);
		mine.refused(result, pause);
		this.state = State.PAUSED;
		watchDeadline();
		pauseFor(pause);
		if (!missedNews && mine.news() != this.newsBefore) {
			// A node answered at once that releases are heard from now on.
			onNews(Duration.ZERO);
		}
	}

	private void pauseFor(Duration pause) {
		cancel(this.pauseTimer);
		this.pauseTimer = this.context.loop().schedule(this.deadline.atMost(pause), () -> {
			if (this.state == State.PAUSED) {
				askNow();
			}
		});
	}

	private void watchDeadline() {
		if (this.deadlineTimer == null) {
			this.deadlineTimer = this.context.loop().schedule(this.deadline.left(), this::onDeadline);
		}
	}

	/**
	 * Ends the wait. The first try has as much time as it has without a wait, and ends
	 * the request when it comes to its result.
	 */
	private void onDeadline() {
		TryResult last = this.lastResult;
		boolean firstTry = this.tries <= 1 || (this.tries == 2 && last != null && last.taughtClocks());
		if (firstTry && (this.state == State.ASKING || this.state == State.EXPLAINING)) {
			// A try that comes to no result must not keep its request for ever.
			Duration rest = this.plan.longestTry().plus(this.plan.nodeTimeout());
			this.deadlineTimer = this.context.loop().schedule(rest, () -> end(lastReason()));
		}
		else {
			end(lastReason());
		}
	}

	private void end(Reason reason) {
		if (this.state != State.ENDED) {
			end(failed(reason));
		}
	}

	/**
	 * Ends whatever is under way.
	 */
	private void end(LockAttempt failed) {
		this.state = State.ENDED;
		cancel(this.deadlineTimer);
		cancel(this.pauseTimer);
		if (this.acquisition != null) {
			this.acquisition.abandon();
		}
		this.outcome.complete(failed);
		if (this.place != null) {
			this.place.leave();
		}
	}

	private LockAttempt failed(Reason reason) {
		TryResult refusal = refusal();
		List<NodeVote> votes = List.of();
		if (refusal != null) {
			votes = refusal.latestVotes().named();
		}
		else if (this.acquisition != null) {
			votes = this.acquisition.votes().named();
		}
		else {
			QueuePlace holder = this.queues.holderOf(this.plan.keys());
			votes = (holder != null) ? List.of(heldBy("this process", holder)) : List.of();
		}
		return LockAttempt.failed(this.plan.resources(), reason, votes, this.tries, this.deadline.waited());
	}

	private Reason lastReason() {
		if (this.tries == 0 && this.queues.holderOf(this.plan.keys()) != null) {
			return Reason.HELD;
		}
		TryResult refusal = refusal();
		Reason reason = (refusal != null) ? refusal.latestReason() : null;
		return (reason != null) ? reason : Reason.TIMED_OUT;
	}

	/**
	 * What the nodes told this request; before its first try, what they told the one
	 * before it.
	 */
	private @Nullable TryResult refusal() {
		return (this.lastResult != null || this.tries > 0) ? this.lastResult
				: this.queues.lastRefusal(this.plan.keys());
	}

	private NodeVote heldBy(String whose, QueuePlace holder) {
		return NodeVote.held(whose, this.context.settings().owner(), holder.remaining());
	}

	private static void cancel(Scheduler.@Nullable Timeout timer) {
		if (timer != null) {
			timer.cancel();
		}
	}

	private enum State {

		/** Others of this process are first. */
		QUEUED,

		/** The nodes are being asked. */
		ASKING,

		/** Between two tries, or before the first one. */
		PAUSED,

		/** The last try was refused, and it is not yet certain why. */
		EXPLAINING,

		ENDED

	}

}

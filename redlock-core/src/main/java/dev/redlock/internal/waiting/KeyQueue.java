package dev.redlock.internal.waiting;

import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.internal.plan.LockPlan;
import dev.redlock.internal.vote.HandOver;
import dev.redlock.internal.vote.LockContext;
import dev.redlock.internal.vote.Verdict.Failed;
import dev.redlock.internal.waiting.NextTry.Wait;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Scheduler.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * The requests of this process for the same keys on the same nodes, in order of arrival.
 * Of the requests that wait, only the first asks the nodes for the lock. A request that
 * does not wait, or that was paused until its time was over, asks for itself. The turn of
 * the first lasts until its lease is released or lost, or its caller gives up. The turn
 * of a request for a permit ends as soon as it has the permit, because other permits may
 * be free. Two queues with a key in common compete for the key like two processes.
 */
public final class KeyQueue implements ReleaseSubscription.Listener {

	/**
	 * A queue in which no request waits ends its subscription to releases after this
	 * time.
	 */
	private static final Duration IDLE_LIMIT = Duration.ofMillis(500);

	private static final Duration SUBSCRIPTION_CHECK = Duration.ofMillis(200);

	private final KeyQueues queues;

	private final LockContext context;

	private final List<String> keys;

	private final List<LockNode> nodes;

	/** Zero if the keys have one owner at a time. */
	private final int permits;

	private final Set<Waiter> waiters = new LinkedHashSet<>();

	/**
	 * The requests whose turn ended with a permit, which they still hold.
	 */
	private final Set<Waiter> permitHolders = new HashSet<>();

	private final NextTry nextTry;

	private final Fairness fairness;

	private final ReleaseSubscription subscription;

	/**
	 * The request that asks for the lock or has it. A request that has the lock waits no
	 * longer.
	 */
	private @Nullable Waiter owner;

	private Timeout tryTimer = Timeout.NONE;

	private Timeout idleTimer = Timeout.NONE;

	private @Nullable Failed lastRefusal;

	private int unansweredReleases;

	KeyQueue(KeyQueues queues, LockContext context, LockPlan plan) {
		this.queues = queues;
		this.context = context;
		this.keys = plan.keys();
		this.nodes = plan.nodes();
		this.permits = plan.permits();
		this.nextTry = new NextTry(context.ticker(), context.random(), context.roundTimes());
		this.subscription = new ReleaseSubscription(this.keys, this.nodes, context.loop(), context.roundTimes(), this);
		this.fairness = new Fairness(context.random(), context.roundTimes(), () -> queues.waitingBeside(this));
	}

	List<String> keys() {
		return this.keys;
	}

	boolean isFor(LockPlan plan) {
		return this.keys.equals(plan.keys()) && this.nodes.equals(plan.nodes()) && this.permits == plan.permits();
	}

	public boolean isEmpty() {
		return !hasWaiters() && this.owner == null;
	}

	boolean hasWaiters() {
		return !this.waiters.isEmpty();
	}

	public @Nullable Failed lastRefusal() {
		return this.lastRefusal;
	}

	public void join(Waiter waiter) {
		this.queues.add(this);
		this.waiters.add(waiter);
		askNowOrLater();
	}

	public void leave(Waiter waiter) {
		if (isTurnOf(waiter)) {
			endTurnOf(waiter);
			// The next request asks the nodes in an event of its own, because thousands
			// of requests may give up in a row.
			this.context.loop().post(this::askNowOrLater);
		}
		else {
			this.waiters.remove(waiter);
			this.permitHolders.remove(waiter);
		}
		removeOrStartIdleTimer();
	}

	public void refused(Waiter waiter, Failed failure) {
		if (failure.reason() != Reason.NO_QUORUM) {
			subscribe();
		}
		if (isTurnOf(waiter)) {
			this.owner = null;
		}
		this.lastRefusal = failure;
		this.nextTry.refused(Wait.after(failure, isSubscribed()), failure.votes(), waiter.plan().retryDelay());
		askNowOrLater();
	}

	public void voted(Waiter waiter, Failed failure) {
		if (Wait.after(failure, isSubscribed()) != this.nextTry.waitsFor()) {
			refused(waiter, failure);
		}
	}

	public void won(Waiter waiter, boolean handedOver) {
		if (!isTurnOf(waiter)) {
			return;
		}
		this.fairness.won(handedOver, this.waiters.size());
		this.lastRefusal = null;
		if (this.permits > 0) {
			// The next request of this queue still waits out the pause that lets other
			// processes take permits.
			this.nextTry.forgetRefusals();
			this.permitHolders.add(waiter);
			leave(waiter);
		}
		else {
			this.waiters.remove(waiter);
			this.nextTry.clear();
			removeOrStartIdleTimer();
		}
	}

	/**
	 * Releases a lock. If the next request of this queue may take the lock, its acquire
	 * command releases the lock too, and the release is not announced to other processes.
	 */
	public void release(Waiter holder, Release release) {
		this.unansweredReleases++;
		if (isTurnOf(holder) && hasWaiters() && !this.fairness.mustLeaveLockToOthers() && !this.queues.isClosed()
				&& release.mayHandOverTo(first().plan())) {
			HandOver handOver = release.handOver(this.context);
			this.nextTry.clear();
			endTurnOf(holder);
			ask(first(), handOver);
			return;
		}
		release.send(this.context);
		// If a holder of a lock has no turn, because it had asked beside this queue or
		// lost
		// its lease, the first request waits for the announcement of the release.
		if (isTurnOf(holder) || this.permits > 0) {
			this.nextTry.released(this.fairness.pauseForOthersNanos());
		}
		// The idle time of the queue begins again with each release.
		this.idleTimer.cancel();
		this.idleTimer = Timeout.NONE;
		leave(holder);
		if (this.permits > 0) {
			// A holder of a permit has no turn, whose end would let the next request ask.
			askNowOrLater();
		}
	}

	/**
	 * Handles the answers of the nodes to a release of this queue.
	 * @param listeners the number of other processes that are subscribed to releases,
	 * negative if unknown
	 */
	public void releaseAnswered(int listeners) {
		this.unansweredReleases--;
		if (listeners >= 0) {
			this.fairness.counted(listeners);
		}
		removeOrStartIdleTimer();
	}

	public boolean isSubscribed() {
		return this.subscription.isComplete();
	}

	@Override
	public void released(String release, int listeners) {
		this.fairness.counted(Math.max(0, listeners - 1));
		if (this.context.releases().hasAnnounced(release, this.keys)) {
			this.nextTry.retrySoon();
		}
		else {
			this.fairness.releasedByOthers();
			this.nextTry.released(this.fairness.pauseForOthersNanos());
		}
		askNowOrLater();
	}

	@Override
	public void tryAgain() {
		this.nextTry.retrySoon();
		askNowOrLater();
	}

	void close() {
		this.tryTimer.cancel();
		this.subscription.close();
		this.fairness.forget();
		this.nextTry.clear();
		removeOrStartIdleTimer();
	}

	private Waiter first() {
		return this.waiters.iterator().next();
	}

	private boolean isTurnOf(Waiter waiter) {
		return (this.owner != null) ? waiter == this.owner : hasWaiters() && waiter == first();
	}

	private void endTurnOf(Waiter waiter) {
		this.tryTimer.cancel();
		this.owner = null;
		this.waiters.remove(waiter);
		if (hasWaiters()) {
			this.nextTry.firstChanged(first().plan().retryDelay());
		}
		else {
			// A refusal may be outdated by the time a request joins an empty queue.
			this.lastRefusal = null;
			this.nextTry.forgetRefusals();
		}
	}

	private void askNowOrLater() {
		if (this.owner != null || !hasWaiters() || this.queues.isClosed()) {
			return;
		}
		Waiter waiter = first();
		this.tryTimer.cancel();
		if (this.nextTry.waitsFor() == Wait.RELEASE && !isSubscribed()) {
			// Without a subscription, this process may have missed a release, so the
			// nodes are asked now.
			this.nextTry.retrySoon();
		}
		Duration pause = waiter.shorten(this.nextTry.pause());
		if (pause.isZero()) {
			ask(waiter, null);
			return;
		}
		if (this.lastRefusal == null) {
			// A request that pauses before its first try has not subscribed to releases
			// yet.
			subscribe();
		}
		waitUntil(waiter, this.context.ticker().nanoTime() + pause.toNanos());
	}

	private void waitUntil(Waiter waiter, long endNanos) {
		Duration left = Duration.ofNanos(Math.max(0, endNanos - this.context.ticker().nanoTime()));
		boolean checks = this.nextTry.waitsFor() == Wait.RELEASE && left.compareTo(SUBSCRIPTION_CHECK) > 0;
		this.tryTimer = this.context.loop().schedule(checks ? SUBSCRIPTION_CHECK : left, () -> {
			if (!checks) {
				ask(waiter, null);
			}
			else if (isSubscribed()) {
				waitUntil(waiter, endNanos);
			}
			else {
				askNowOrLater();
			}
		});
	}

	private void ask(Waiter waiter, @Nullable HandOver handOver) {
		this.owner = waiter;
		this.nextTry.asked();
		waiter.ask(handOver);
	}

	private void subscribe() {
		if (!this.queues.isClosed() && this.subscription.open()) {
			this.nextTry.retrySoon();
		}
	}

	private void removeOrStartIdleTimer() {
		boolean remembers = this.subscription.isOpen()
				|| (isUnused() && (this.fairness.knowsOthers() || !this.nextTry.pause().isZero()));
		if (isUnused() && !remembers && this.unansweredReleases == 0) {
			this.idleTimer.cancel();
			this.queues.remove(this);
		}
		else if (remembers && this.idleTimer == Timeout.NONE && !hasWaiters()) {
			this.idleTimer = this.context.loop().schedule(IDLE_LIMIT, this::onIdle);
		}
	}

	private boolean isUnused() {
		return isEmpty() && this.permitHolders.isEmpty();
	}

	private void onIdle() {
		this.idleTimer = Timeout.NONE;
		if (isUnused()) {
			close();
		}
		else if (!hasWaiters()) {
			// The known number of other processes is kept, because the pause after the
			// next release depends on it.
			this.subscription.close();
		}
	}

	public interface Waiter {

		LockPlan plan();

		/**
		 * Asks the nodes for the lock.
		 * @param handOver the lease that the request succeeds, null for a free lock
		 */
		void ask(@Nullable HandOver handOver);

		Duration shorten(Duration pause);

	}

	public interface Release {

		/**
		 * Whether the acquire command of the next request may release the lock.
		 */
		boolean mayHandOverTo(LockPlan next);

		/**
		 * Leaves the release to the acquire command of the next request.
		 */
		HandOver handOver(LockContext context);

		/**
		 * Sends the release behind all earlier commands on each connection.
		 */
		void send(LockContext context);

	}

}

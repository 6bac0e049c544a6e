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
 * Of the requests that wait, only the first asks the nodes for the lock, and none asks
 * while a request of this queue holds the lock. A held permit lets the first request ask,
 * because other permits may be free. If others wait, a request that does not wait asks
 * beside this queue, and is no holder of it. So does a request that was paused until its
 * time was over. Two queues with a key in common compete for the key like two processes.
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
	 * The requests that were first when they got the lock or a permit, and still have it.
	 */
	private final Set<Waiter> holders = new HashSet<>();

	private final NextTry nextTry;

	private final Fairness fairness;

	private final ReleaseSubscription subscription;

	/** Whether the first request that waits is asking the nodes. */
	private boolean asking;

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
		return !hasWaiters() && !isHeld();
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

	/**
	 * Removes a request that gives up.
	 */
	public void leave(Waiter waiter) {
		boolean wasNext = isFirst(waiter) && !isHeld();
		this.waiters.remove(waiter);
		if (wasNext) {
			this.asking = false;
			this.tryTimer.cancel();
			if (hasWaiters()) {
				this.nextTry.firstChanged(first().plan().retryDelay());
			}
			else {
				// A refusal may be outdated by the time a request joins an empty queue.
				this.lastRefusal = null;
				this.nextTry.forgetRefusals();
			}
			// The next request asks the nodes in an event of its own, because thousands
			// of requests may give up in a row.
			this.context.loop().post(this::askNowOrLater);
		}
		removeOrStartIdleTimer();
	}

	public void refused(Waiter waiter, Failed failure) {
		if (failure.reason() != Reason.NO_QUORUM) {
			subscribe();
		}
		this.asking = this.asking && !isFirst(waiter);
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
		if (!isFirst(waiter)) {
			return;
		}
		this.fairness.won(handedOver, this.waiters.size());
		this.lastRefusal = null;
		this.asking = false;
		this.waiters.remove(waiter);
		this.holders.add(waiter);
		if (isHeld()) {
			this.nextTry.clear();
		}
		else {
			// The next request of this queue still waits out the pause that lets other
			// processes take permits.
			this.nextTry.forgetRefusals();
			this.context.loop().post(this::askNowOrLater);
		}
		removeOrStartIdleTimer();
	}

	/**
	 * Releases a lock. If the next request of this queue may take the lock, its acquire
	 * command releases the lock too, and the release is not announced to other processes.
	 */
	public void release(Waiter holder, Release release) {
		this.unansweredReleases++;
		if (mayHandOver(holder, release)) {
			HandOver handOver = release.handOver(this.context);
			this.nextTry.clear();
			this.holders.remove(holder);
			ask(first(), handOver);
			return;
		}
		release.send(this.context);
		// The idle time of the queue begins again with each release.
		this.idleTimer.cancel();
		this.idleTimer = Timeout.NONE;
		// If the lock was taken beside this queue, or its lease was lost, the first
		// request waits for the announcement of the release.
		if (this.permits > 0 || this.holders.contains(holder)) {
			pauseForOthers();
		}
		ended(holder);
	}

	/**
	 * Lets the next request ask for a lock whose lease was released, lost or detached.
	 */
	public void ended(Waiter holder) {
		if (this.holders.remove(holder) && this.permits == 0) {
			this.context.loop().post(this::askNowOrLater);
		}
		removeOrStartIdleTimer();
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
			tryAgain();
		}
		else {
			this.fairness.releasedByOthers();
			pauseForOthers();
		}
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

	private boolean isFirst(Waiter waiter) {
		return hasWaiters() && waiter == first();
	}

	/** Whether the lock is held. Of several permits, one may always be free. */
	private boolean isHeld() {
		return this.permits == 0 && !this.holders.isEmpty();
	}

	private boolean mayHandOver(Waiter holder, Release release) {
		return isHeld() && this.holders.contains(holder) && hasWaiters() && !this.fairness.mustLeaveLockToOthers()
				&& !this.queues.isClosed() && release.mayHandOverTo(first().plan());
	}

	private void pauseForOthers() {
		this.nextTry.released(this.fairness.pauseForOthersNanos());
		askNowOrLater();
	}

	private void askNowOrLater() {
		if (this.asking || isHeld() || !hasWaiters() || this.queues.isClosed()) {
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
		this.asking = true;
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
		return !hasWaiters() && this.holders.isEmpty();
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

package dev.redlock.internal;

import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.internal.NextTry.Wait;
import dev.redlock.internal.Releases.Announcement;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Scheduler.Timeout;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;

/**
 * The requests of this process for the same keys on the same nodes, in order of arrival.
 * Only the first request asks the nodes, at the time that {@link NextTry} returns. The
 * first request leaves the queue when its release is sent, its lease is lost, or the
 * request gives up. <pre>
 *         a request joins           NextTry: now          lease
 *  EMPTY -----------------&gt; WAITING -----------&gt; ASKING -------&gt; HELD
 *                              ^                   |
 *                              '-------------------'
 *                                     refused
 *
 *  When the first request leaves: to WAITING with the next request, or to EMPTY.
 * </pre> The states in the diagram are the states of the first request of the queue. HELD
 * means that the first request has a lease. A request for a permit leaves the queue when
 * the request has its permit, because the next request may get another permit. A request
 * that does not wait asks the nodes at once and does not join a queue that has requests.
 * Queues for different sets of keys or nodes are independent of each other. If two such
 * queues have a key in common, they compete for the key like two processes.
 */
final class KeyQueue implements ReleaseSubscription.Listener {

	/**
	 * How long the subscription to releases stays open while no request waits. An empty
	 * queue forgets other processes after the same time.
	 */
	private static final Duration IDLE = Duration.ofMillis(500);

	/**
	 * How often a waiting request checks that this process is still subscribed to
	 * releases.
	 */
	private static final Duration CHECK = Duration.ofMillis(200);

	private final KeyQueues queues;

	private final LockContext context;

	private final List<String> keys;

	private final List<LockNode> nodes;

	/** The number of permits of the name, 0 for a lock. */
	private final int permits;

	private final Set<Waiter> waiters = new LinkedHashSet<>();

	/** The requests that have left the queue and still hold a permit. */
	private final Set<Waiter> permitHolders = new HashSet<>();

	private final NextTry nextTry;

	private final Fairness fairness;

	private final ReleaseSubscription subscription;

	private Timeout tryTimer = Timeout.NONE;

	private Timeout idleTimer = Timeout.NONE;

	/**
	 * The last refused try, possibly of a request that has left the queue. The field is
	 * null after a lease, and when the queue is empty.
	 */
	private @Nullable TryResult refusal;

	/**
	 * Whether other processes may wait for a release that this queue did not announce.
	 * The field is true from a handover until a request wins a lease, or until the
	 * release of a failed try was announced.
	 */
	private boolean owesAnnouncement;

	/**
	 * The number of releases that this queue has sent and that the nodes have not
	 * answered.
	 */
	private int releasesUnderWay;

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

	/** Whether requests with the given plan belong to this queue. */
	boolean isFor(LockPlan plan) {
		return this.keys.equals(plan.keys()) && this.nodes.equals(plan.nodes()) && this.permits == plan.permits();
	}

	boolean isEmpty() {
		return this.waiters.isEmpty();
	}

	/** Whether a request in the queue has no lease yet. */
	boolean isWaitedFor() {
		return this.waiters.size() > (isFirstIn(AttemptState.ENDED) ? 1 : 0);
	}

	/** Returns the last refusal of a request in this queue, if any. */
	@Nullable TryResult refusal() {
		return this.refusal;
	}

	/**
	 * Whether a failed try must announce its release even if no majority granted the try.
	 */
	boolean owesAnnouncement() {
		return this.owesAnnouncement;
	}

	void join(Waiter waiter) {
		this.queues.add(this);
		this.waiters.add(waiter);
		proceed();
	}

	/**
	 * Removes a request, if it is still in the queue. If the request was the first, the
	 * next request proceeds.
	 */
	void leave(Waiter waiter) {
		if (isFirst(waiter)) {
			removeFirst();
			// This code runs as an event of its own, because thousands of requests may
			// give up in a row.
			this.context.loop().post(this::proceed);
		}
		else {
			this.waiters.remove(waiter);
			this.permitHolders.remove(waiter);
		}
		tidy();
	}

	/**
	 * Records that the nodes refused the first request, or that a later vote has changed
	 * the reason for the refusal.
	 */
	void refused(Waiter waiter, TryResult result) {
		if (result.latestReason() != Reason.NO_QUORUM) {
			subscribe();
		}
		// If a node granted the failed try, the release on that node was announced.
		this.owesAnnouncement &= result.votes().count(Vote.Granted.class::isInstance) == 0;
		this.refusal = result;
		this.nextTry.refused(Wait.after(result, isSubscribed()), result.latestVotes(), waiter.plan().retryDelay());
		proceed();
	}

	/** Handles a later vote on the last try of the first request. */
	void voted(Waiter waiter, TryResult result) {
		if (Wait.after(result, isSubscribed()) != this.nextTry.waitsFor()) {
			refused(waiter, result);
		}
	}

	/** Records the lease of a request, unless the request did not join the queue. */
	void won(Waiter waiter) {
		if (!isFirst(waiter)) {
			return;
		}
		this.fairness.won(this.owesAnnouncement, this.waiters.size());
		this.owesAnnouncement = false;
		this.refusal = null;
		if (this.permits > 0) {
			// The pause for other processes goes on, because the next request asks for
			// another permit.
			this.nextTry.forgetRefusals();
			this.permitHolders.add(waiter);
			leave(waiter);
		}
		else {
			this.nextTry.clear();
			tidy();
		}
	}

	/**
	 * Sends the release of a holder, and removes the holder. If the next request may take
	 * the lock right after this release, the next request is sent in the same write, and
	 * the release is not announced.
	 */
	void release(Waiter holder, Release release) {
		this.releasesUnderWay++;
		if (isFirst(holder) && this.waiters.size() > 1 && !this.fairness.othersAreDue() && !this.queues.isClosed()
				&& release.mayHandOver()) {
			release.send(this.context, Announcement.WHEN_REPEATED);
			this.owesAnnouncement = true;
			this.nextTry.clear();
			removeFirst();
			proceed();
			return;
		}
		release.send(this.context, Announcement.ALWAYS);
		if (isFirst(holder) || this.permits > 0) {
			this.nextTry.released(this.fairness.turnNanos());
		}
		// The queue remembers other processes for the time IDLE after this release.
		this.idleTimer.cancel();
		this.idleTimer = Timeout.NONE;
		leave(holder);
		if (this.permits > 0) {
			proceed();
		}
	}

	/**
	 * Handles the answers of the nodes to a release of this queue.
	 * @param listeners the number of other processes that are subscribed, negative if no
	 * node reported a number
	 */
	void releaseAnswered(int listeners) {
		this.releasesUnderWay--;
		if (listeners >= 0) {
			this.fairness.counted(listeners);
		}
		tidy();
	}

	/**
	 * Whether this process receives the releases that other processes announce, for each
	 * key.
	 */
	boolean isSubscribed() {
		return this.subscription.isComplete();
	}

	@Override
	public void released(String release, int listeners) {
		this.fairness.counted(Math.max(0, listeners - 1));
		if (this.context.releases().hasAnnounced(release, this.keys)) {
			this.nextTry.newsCame();
		}
		else {
			this.fairness.releasedByOthers();
			this.nextTry.released(this.fairness.turnNanos());
		}
		proceed();
	}

	@Override
	public void tryAgain() {
		this.nextTry.newsCame();
		proceed();
	}

	/** Ends the subscription and forgets other processes. */
	void close() {
		this.tryTimer.cancel();
		this.subscription.close();
		this.fairness.forget();
		this.nextTry.clear();
		tidy();
	}

	private Waiter first() {
		return this.waiters.iterator().next();
	}

	private boolean isFirst(Waiter waiter) {
		return !isEmpty() && waiter == first();
	}

	/**
	 * Whether the first request of the queue is in the given state; {@code ENDED} if this
	 * request has a lease.
	 */
	private boolean isFirstIn(AttemptState state) {
		return !isEmpty() && first().state() == state;
	}

	private void removeFirst() {
		this.tryTimer.cancel();
		this.waiters.remove(first());
		if (!this.waiters.isEmpty()) {
			this.nextTry.firstChanged(first().plan().retryDelay());
		}
		else {
			// The last refusal may be outdated when a later request joins the empty
			// queue.
			this.refusal = null;
			this.nextTry.forgetRefusals();
		}
	}

	/**
	 * Lets the first request ask the nodes now, or sets the timer to the time of its next
	 * try.
	 */
	private void proceed() {
		if (!isFirstIn(AttemptState.WAITING) || this.queues.isClosed()) {
			return;
		}
		Waiter waiter = first();
		this.tryTimer.cancel();
		if (this.nextTry.waitsFor() == Wait.RELEASE && !isSubscribed()) {
			// The request asks now because this process may have missed a release without
			// the subscription. From now on, the request polls the nodes.
			this.nextTry.newsCame();
		}
		Duration pause = waiter.shorten(this.nextTry.pause());
		if (pause.isZero()) {
			ask(waiter);
			return;
		}
		if (this.refusal == null) {
			// The request pauses for other processes and has not been refused, so there
			// is no subscription yet.
			subscribe();
		}
		waitUntil(waiter, this.context.ticker().nanoTime() + pause.toNanos());
	}

	private void waitUntil(Waiter waiter, long endNanos) {
		Duration left = Duration.ofNanos(Math.max(0, endNanos - this.context.ticker().nanoTime()));
		boolean checks = this.nextTry.waitsFor() == Wait.RELEASE && left.compareTo(CHECK) > 0;
		this.tryTimer = this.context.loop().schedule(checks ? CHECK : left, () -> {
			if (!checks) {
				ask(waiter);
			}
			else if (isSubscribed()) {
				waitUntil(waiter, endNanos);
			}
			else {
				proceed();
			}
		});
	}

	private void ask(Waiter waiter) {
		this.nextTry.asked();
		waiter.ask();
	}

	private void subscribe() {
		if (!this.queues.isClosed() && this.subscription.open()) {
			this.nextTry.newsCame();
		}
	}

	/**
	 * Removes the queue if it has no request, no subscription and no pause, and knows no
	 * other process. If the queue must stay and no request waits, a timer ends the
	 * subscription later.
	 */
	private void tidy() {
		boolean remembers = this.subscription.isOpen()
				|| (isUnused() && (this.fairness.knowsOthers() || !this.nextTry.pause().isZero()));
		if (isUnused() && !remembers && this.releasesUnderWay == 0) {
			this.idleTimer.cancel();
			this.queues.remove(this);
		}
		else if (remembers && this.idleTimer == Timeout.NONE && !isWaitedFor()) {
			this.idleTimer = this.context.loop().schedule(IDLE, this::onIdle);
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
		else if (!isWaitedFor()) {
			// The queue ends its subscription but does not forget other processes,
			// because the queue must pause for them after the next release.
			this.subscription.close();
		}
	}

	/**
	 * A request that waits for the keys of a queue, and holds these keys later.
	 */
	interface Waiter {

		LockPlan plan();

		AttemptState state();

		void ask();

		/**
		 * Shortens a pause so that the request can try once more before its time ends.
		 * The pause is zero for a request that does not wait.
		 */
		Duration shorten(Duration pause);

	}

	/**
	 * A release that has not been sent.
	 */
	interface Release {

		/**
		 * Whether the next request of this process may ask right after the release. If
		 * the nodes keep the lock for a minimum time, the next request may not ask, and
		 * other processes must be notified that the lock ends earlier.
		 */
		boolean mayHandOver();

		/**
		 * Sends the release behind all earlier operations on each connection.
		 */
		void send(LockContext context, Announcement announcement);

	}

}

package dev.redlock;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import dev.redlock.spi.LockNode;
import dev.redlock.spi.Scheduler.Timeout;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;

/**
 * The requests of this process for one key, in the order in which they came. Only the
 * first asks the nodes, and it stays the first until its lease has ended.
 */
final class KeyQueue {

	/** How long releases are listened for, and other processes remembered, after use. */
	private static final Duration IDLE = Duration.ofMillis(500);

	private final KeyQueues queues;

	private final LockContext context;

	private final String key;

	private @Nullable QueuePlace first;

	/** Null as long as no request ever had to wait, as for most keys. */
	private @Nullable Set<QueuePlace> behind;

	private final OtherProcesses others;

	private Timeout idleTimer = Timeout.NONE;

	/** What the nodes told the first, until there is a lease. */
	private @Nullable TryResult refusal;

	/** When the first is to ask again by what it was told; null if it may at once. */
	private @Nullable Long retryAtNanos;

	/** Whether the first was handed the lock by the one before, and has just asked. */
	private boolean handedOver;

	/** Whether the last release was silent, and no announced one has followed it. */
	private boolean owesAnnouncement;

	KeyQueue(KeyQueues queues, LockContext context, String key) {
		this.queues = queues;
		this.context = context;
		this.key = key;
		this.others = new OtherProcesses(context, key, this::tellFirst);
	}

	@Nullable QueuePlace first() {
		return this.first;
	}

	@Nullable TryResult refusal() {
		return this.refusal;
	}

	/**
	 * What is known of other processes that want the key.
	 */
	OtherProcesses others() {
		return this.others;
	}

	boolean isEmpty() {
		return this.first == null && (this.behind == null || this.behind.isEmpty());
	}

	/**
	 * Takes the last place.
	 * @return whether that is the first one too
	 */
	boolean join(QueuePlace place) {
		if (this.first == null) {
			this.first = place;
			return true;
		}
		if (this.behind == null) {
			this.behind = new LinkedHashSet<>();
		}
		this.behind.add(place);
		return false;
	}

	/**
	 * Gives up a place. If it was the first, the next one is told that it is.
	 */
	void leave(QueuePlace place) {
		if (this.first == place) {
			QueuePlace next = advance();
			tidy();
			if (next != null) {
				// An event of its own, since thousands may give up one after the other.
				this.context.loop().post(next::onFirst);
			}
		}
		else if (this.behind != null && this.behind.remove(place)) {
			tidy();
		}
	}

	/**
	 * Gives up the first place to the next request, which is to ask right behind the
	 * release. Then the release need not be announced.
	 * @return the next one, or null if the release has to be announced
	 */
	@Nullable QueuePlace handOver(QueuePlace place) {
		Iterator<QueuePlace> waiting = (this.behind != null) ? this.behind.iterator() : null;
		if (this.first != place || this.others.areDue() || waiting == null || !waiting.hasNext()
				|| this.queues.isClosed() || !waiting.next().hasOneKey()) {
			return null;
		}
		this.others.releaseSent(false);
		QueuePlace next = advance();
		this.handedOver = true;
		this.owesAnnouncement = true;
		return next;
	}

	/**
	 * The request has sent a release that is announced, and leaves.
	 */
	void released(QueuePlace place) {
		this.others.releaseSent(this.first == place);
		cancelIdleTimer();
		leave(place);
	}

	/**
	 * A release was answered.
	 * @param listeners how many other processes listened to it, negative if unknown
	 */
	void releaseAnswered(int listeners) {
		this.others.releaseAnswered(listeners);
		tidy();
	}

	/**
	 * The first has got its lease.
	 */
	void won() {
		this.others.won(this.handedOver, 1 + ((this.behind != null) ? this.behind.size() : 0));
		this.handedOver = false;
		this.owesAnnouncement = false;
		this.retryAtNanos = null;
		this.refusal = null;
		tidy();
	}

	/**
	 * The nodes refused the first, which is to ask again after a pause.
	 */
	void refused(TryResult result, Duration pause) {
		this.handedOver = false;
		// What a node granted was released there again, with an announcement.
		this.owesAnnouncement &= result.votes().count(Vote.Granted.class::isInstance) == 0;
		this.refusal = result;
		this.retryAtNanos = this.context.ticker().nanoTime() + pause.toNanos();
	}

	/**
	 * Whether the last release of this process was silent, and no announced one has
	 * followed it. Then other processes have to be told of the next release, whatever it
	 * is of. This is forgotten with the queue, if none of its requests gets any vote.
	 */
	boolean owesAnnouncement() {
		return this.owesAnnouncement;
	}

	/**
	 * How long the first is to wait before it asks: until what the nodes told the one
	 * before it is over, and until other processes had time to take the lock.
	 */
	Duration pause() {
		Duration yields = this.others.pause();
		long untilRetry = (this.retryAtNanos != null) ? this.retryAtNanos - this.context.ticker().nanoTime() : 0;
		return (untilRetry > yields.toNanos()) ? Duration.ofNanos(untilRetry) : yields;
	}

	/**
	 * Listens for releases from here on, where that is possible.
	 */
	void subscribe(List<LockNode> nodes) {
		if (!this.queues.isClosed()) {
			this.others.subscribe(nodes);
		}
	}

	/**
	 * Stops listening, and forgets other processes.
	 */
	void close() {
		this.others.forget();
		tidy();
	}

	private void tellFirst() {
		this.retryAtNanos = null;
		if (this.first != null) {
			this.first.onNews(pause());
		}
	}

	private @Nullable QueuePlace advance() {
		this.first = null;
		this.handedOver = false;
		if (this.behind != null && !this.behind.isEmpty() && !this.queues.isClosed()) {
			Iterator<QueuePlace> waiting = this.behind.iterator();
			this.first = waiting.next();
			waiting.remove();
		}
		else {
			// What the nodes told the last one need not hold for whoever comes later.
			this.retryAtNanos = null;
			this.refusal = null;
		}
		return this.first;
	}

	private boolean isWaitedFor() {
		return (this.first != null && !this.first.hasLease()) || (this.behind != null && !this.behind.isEmpty());
	}

	/**
	 * Ends when nothing is left to remember, and otherwise looks again some time after
	 * the last request that waited is gone.
	 */
	private void tidy() {
		boolean remembers = isEmpty() ? this.others.areRemembered() : this.others.hasSubscription();
		if (isEmpty() && !remembers && !this.others.awaitsAnswers()) {
			cancelIdleTimer();
			this.queues.remove(this.key, this);
		}
		else if (remembers && this.idleTimer == Timeout.NONE && !isWaitedFor()) {
			this.idleTimer = this.context.loop().schedule(IDLE, this::onIdle);
		}
	}

	private void cancelIdleTimer() {
		this.idleTimer.cancel();
		this.idleTimer = Timeout.NONE;
	}

	private void onIdle() {
		this.idleTimer = Timeout.NONE;
		if (isEmpty()) {
			close();
		}
		else if (!isWaitedFor()) {
			// Other processes are remembered: the holder has to yield when it releases.
			this.others.unsubscribe();
		}
	}

}

package dev.redlock.internal;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import dev.redlock.spi.LockNode;
import dev.redlock.spi.Scheduler.Timeout;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;

/**
 * The wait queue for one key: the requests of this process, in order of arrival. Only the
 * first request asks the nodes, and it stays first until its lease has ended.
 */
final class KeyQueue {

	/**
	 * How long the release subscription and the data about other processes stay after the
	 * last use.
	 */
	private static final Duration IDLE = Duration.ofMillis(500);

	private final KeyQueues queues;

	private final LockContext context;

	private final String key;

	private @Nullable QueuePlace first;

	private final Set<QueuePlace> behind = new LinkedHashSet<>();

	private final OtherProcesses others;

	private Timeout idleTimer = Timeout.NONE;

	/** A request that won its lease by a single try while another one was first. */
	private @Nullable QueuePlace beside;

	/** The last refused try of the first request, until there is a lease. */
	private @Nullable TryResult refusal;

	/** The keys that were refused, which may be more than this one. */
	private List<String> refusedKeys = List.of();

	/** When the first request may try again after a refusal; null if at once. */
	private @Nullable Long retryAtNanos;

	/**
	 * Whether the first request took over the lock from the request before it and has no
	 * answer yet.
	 */
	private boolean handedOver;

	/**
	 * Whether the last release was not announced and no announced release has followed.
	 */
	private boolean owesAnnouncement;

	KeyQueue(KeyQueues queues, LockContext context, String key) {
		this.queues = queues;
		this.context = context;
		this.key = key;
		this.others = new OtherProcesses(context, key, this::tellFirst);
	}

	/**
	 * Returns the place of the request that holds the key with a valid lease, if there is
	 * one.
	 */
	@Nullable QueuePlace holder() {
		if (this.first != null && this.first.holds()) {
			return this.first;
		}
		return (this.beside != null && this.beside.holds()) ? this.beside : null;
	}

	/**
	 * Returns the last refusal, if it concerns nothing but the given keys. A request for
	 * several keys may have been refused because of a key that the next request does not
	 * ask for.
	 */
	@Nullable TryResult refusal(List<String> keys) {
		return keys.containsAll(this.refusedKeys) ? this.refusal : null;
	}

	/**
	 * The other processes that want the key.
	 */
	OtherProcesses others() {
		return this.others;
	}

	boolean isEmpty() {
		return this.first == null && this.behind.isEmpty() && this.beside == null;
	}

	/**
	 * Adds a request to the end of the queue.
	 * @return whether the request is the first
	 */
	boolean join(QueuePlace place) {
		if (this.first == null) {
			this.first = place;
			return true;
		}
		this.behind.add(place);
		return false;
	}

	/**
	 * Removes a request. If it was the first, the next one is notified that it is first
	 * now.
	 */
	void leave(QueuePlace place) {
		if (this.first == place) {
			QueuePlace next = advance();
			tidy();
			if (next != null) {
				// A separate event, because thousands of requests may give up one after
				// the other.
				this.context.loop().post(next::onFirst);
			}
		}
		else if (this.beside == place) {
			this.beside = null;
			tidy();
		}
		else if (this.behind.remove(place)) {
			tidy();
		}
	}

	/**
	 * Removes the first request and makes the next one first, which then asks right after
	 * the release. In that case the release is not announced.
	 * @return the next request, or null if the release must be announced
	 */
	@Nullable QueuePlace handOver(QueuePlace place) {
		if (this.first != place || this.others.areDue() || this.queues.isClosed() || this.behind.isEmpty()
				|| !this.behind.iterator().next().hasOneKey()) {
			return null;
		}
		this.others.releaseSent(false);
		QueuePlace next = advance();
		this.handedOver = true;
		this.owesAnnouncement = true;
		return next;
	}

	/**
	 * Removes a request that has sent an announced release.
	 */
	void released(QueuePlace place) {
		this.others.releaseSent(this.first == place);
		cancelIdleTimer();
		leave(place);
	}

	/**
	 * Handles the answer to a release.
	 * @param listeners the number of other processes that received it, negative if
	 * unknown
	 */
	void releaseAnswered(int listeners) {
		this.others.releaseAnswered(listeners);
		tidy();
	}

	/**
	 * Records that the first request has its lease.
	 */
	void won() {
		this.others.won(this.handedOver, 1 + this.behind.size());
		this.handedOver = false;
		this.owesAnnouncement = false;
		this.retryAtNanos = null;
		this.refusal = null;
		tidy();
	}

	/**
	 * Records the lease of a request that is not in the queue.
	 */
	void wonBeside(QueuePlace place) {
		this.beside = place;
	}

	/**
	 * Records that the nodes refused the first request, which tries again after a pause.
	 * @param keys all keys of the request
	 */
	void refused(List<String> keys, TryResult result, Duration pause) {
		this.handedOver = false;
		// If a node granted the failed try, the claim was released there with an
		// announcement.
		this.owesAnnouncement &= result.votes().count(Vote.Granted.class::isInstance) == 0;
		this.refusal = result;
		this.refusedKeys = keys;
		this.retryAtNanos = this.context.ticker().nanoTime() + pause.toNanos();
	}

	/**
	 * Whether the last release of this process was not announced and no announced release
	 * has followed. Then the next release must be announced, even if it only undoes a
	 * failed try. The queue forgets this when it is removed, if none of its requests gets
	 * any vote.
	 */
	boolean owesAnnouncement() {
		return this.owesAnnouncement;
	}

	/**
	 * Returns how long a request that becomes first must wait before it asks the nodes:
	 * until the pause after the last refusal has ended, and until other processes had
	 * time to take the lock.
	 */
	Duration pause(List<String> keys) {
		Duration yields = this.others.pause();
		long untilRetry = (this.retryAtNanos != null && refusal(keys) != null)
				? this.retryAtNanos - this.context.ticker().nanoTime() : 0;
		return (untilRetry > yields.toNanos()) ? Duration.ofNanos(untilRetry) : yields;
	}

	/**
	 * Subscribes to releases on the nodes that support it.
	 */
	void subscribe(List<LockNode> nodes) {
		if (!this.queues.isClosed()) {
			this.others.subscribe(nodes);
		}
	}

	/**
	 * Ends the subscription and forgets other processes.
	 */
	void close() {
		this.others.forget();
		tidy();
	}

	private void tellFirst() {
		this.retryAtNanos = null;
		if (this.first != null) {
			this.first.onNews();
		}
	}

	private @Nullable QueuePlace advance() {
		this.first = null;
		this.handedOver = false;
		if (this.behind.isEmpty() || this.queues.isClosed()) {
			// The last refusal may be outdated for a later request.
			this.retryAtNanos = null;
			this.refusal = null;
			return null;
		}
		this.first = this.behind.iterator().next();
		this.behind.remove(this.first);
		return this.first;
	}

	private boolean isWaitedFor() {
		return (this.first != null && !this.first.hasLease()) || !this.behind.isEmpty();
	}

	/**
	 * Removes the queue when it has nothing left to remember. Otherwise, once no request
	 * waits, starts a timer that cleans up later.
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
			// Only unsubscribes. The other processes stay known, because the holder must
			// yield to them when it releases.
			this.others.unsubscribe();
		}
	}

}

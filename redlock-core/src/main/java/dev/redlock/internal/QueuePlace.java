package dev.redlock.internal;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

import dev.redlock.Lease;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;

/**
 * The place of one request in the queues of all its keys, until its lease has ended. A
 * request joins one queue after the other, in the order of the keys, so that no two
 * requests block each other.
 */
final class QueuePlace {

	private static final int UNKNOWN = -1;

	private final KeyQueues queues;

	private final LockPlan plan;

	private final Waiter waiter;

	private final @Nullable WeakReference<Thread> owner;

	private final List<KeyQueue> joined;

	private @Nullable Lease lease;

	private boolean over;

	/** Whether this process was subscribed to releases when its own release was sent. */
	private boolean listened;

	/**
	 * Creates a place that is in no queue yet.
	 * @param waiter the request, which is notified when it may ask the nodes
	 * @param owner the thread that will own the lease, if any
	 */
	QueuePlace(KeyQueues queues, LockPlan plan, Waiter waiter, @Nullable WeakReference<Thread> owner) {
		this.queues = queues;
		this.plan = plan;
		this.waiter = waiter;
		this.owner = owner;
		this.joined = new ArrayList<>(plan.keys().size());
	}

	/**
	 * Joins the queues one by one. The waiter is notified when it is first in all of
	 * them.
	 */
	void join() {
		List<String> keys = this.plan.keys();
		while (this.joined.size() < keys.size()) {
			KeyQueue queue = this.queues.of(keys.get(this.joined.size()));
			this.joined.add(queue);
			if (!queue.join(this)) {
				return;
			}
		}
		this.waiter.onFirst();
	}

	/**
	 * Records the lease of the request, which keeps its place until the lease has ended.
	 * A single try that did not join the queues gets a place beside them, so that this
	 * process knows that it holds the lock.
	 */
	void won(Lease held) {
		this.lease = held;
		if (this.joined.isEmpty()) {
			this.plan.keys().stream().map(this.queues::of).forEach(this.joined::add);
			this.joined.forEach((queue) -> queue.wonBeside(this));
		}
		else {
			this.joined.forEach(KeyQueue::won);
		}
	}

	/**
	 * Leaves all queues, so that the next requests move up.
	 */
	void leave() {
		if (!this.over) {
			this.over = true;
			this.joined.forEach((queue) -> queue.leave(this));
		}
	}

	/**
	 * Leaves its only queue if the next request there can ask right after the release.
	 * @return the next request, or null if the release must be announced
	 */
	@Nullable QueuePlace handOver() {
		if (!hasOneKey() || this.over || this.joined.isEmpty()) {
			return null;
		}
		this.listened = isSubscribed();
		QueuePlace next = this.joined.get(0).handOver(this);
		this.over = next != null;
		return next;
	}

	/**
	 * Leaves all queues after an announced release was sent.
	 */
	void released() {
		this.over = true;
		this.listened = isSubscribed();
		this.joined.forEach((queue) -> queue.released(this));
	}

	/**
	 * Handles the answers to the release.
	 */
	void releaseAnswered(Tally tally) {
		int listeners = (int) tally
			.max((vote) -> (vote instanceof Vote.Granted granted) ? granted.listeners() : UNKNOWN);
		// A node reports the highest number over all keys, so it is only usable for a
		// single key.
		boolean known = listeners != UNKNOWN && hasOneKey();
		int others = known ? Math.max(0, listeners - (this.listened ? 1 : 0)) : UNKNOWN;
		this.joined.forEach((queue) -> queue.releaseAnswered(others));
	}

	/**
	 * Makes the request ask at once, because the lock was handed over to it.
	 */
	void askNow() {
		this.waiter.askNow();
	}

	void onFirst() {
		if (!this.over) {
			join();
		}
	}

	void onNews() {
		this.waiter.onNews();
	}

	boolean hasOneKey() {
		return this.plan.keys().size() == 1;
	}

	boolean hasLease() {
		return this.lease != null;
	}

	/**
	 * Whether the request has a valid lease.
	 */
	boolean holds() {
		return this.lease != null && this.lease.isValid();
	}

	boolean isOwnedBy(@Nullable Thread thread) {
		return this.owner != null && thread != null && this.owner.refersTo(thread);
	}

	/**
	 * Returns the remaining validity of the lease, zero without one.
	 */
	Duration remaining() {
		return (this.lease != null) ? this.lease.remaining() : Duration.ZERO;
	}

	/**
	 * Subscribes to the releases of all its keys on the nodes that support it.
	 */
	void subscribe() {
		this.joined.forEach((queue) -> queue.subscribe(this.plan.nodes()));
	}

	/**
	 * Whether this process will receive the releases that other processes announce, for
	 * each of the keys.
	 */
	boolean isSubscribed() {
		for (KeyQueue queue : this.joined) {
			if (!queue.others().isSubscribed()) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Returns how long to wait before asking the nodes, if the request has not asked them
	 * yet.
	 */
	Duration pause() {
		return longest((queue) -> queue.pause(this.plan.keys()));
	}

	/**
	 * Returns how long to leave the lock to other processes.
	 */
	Duration yields() {
		return longest((queue) -> queue.others().pause());
	}

	/**
	 * Records that the nodes refused the request, which tries again after a pause.
	 */
	void refused(TryResult result, Duration pause) {
		this.joined.forEach((queue) -> queue.refused(this.plan.keys(), result, pause));
	}

	/**
	 * Whether the next release must be announced, even if it only undoes a failed try.
	 */
	boolean owesAnnouncement() {
		for (KeyQueue queue : this.joined) {
			if (queue.owesAnnouncement()) {
				return true;
			}
		}
		return false;
	}

	private Duration longest(Function<KeyQueue, Duration> pause) {
		return this.joined.stream().map(pause).max(Comparator.naturalOrder()).orElse(Duration.ZERO);
	}

	/**
	 * A request that waits in the queues.
	 */
	interface Waiter {

		/**
		 * Called when the request is first in all queues.
		 */
		void onFirst();

		/**
		 * Called when the request must ask the nodes now.
		 */
		void askNow();

		/**
		 * Called when another try is worthwhile, as soon as this process need not yield
		 * to others.
		 */
		void onNews();

	}

}

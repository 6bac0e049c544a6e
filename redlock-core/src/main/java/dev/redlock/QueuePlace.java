package dev.redlock;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;

import dev.redlock.spi.LockNode;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;

/**
 * The place of one request in the queues of all its keys, from its first question until
 * its lease has ended. It joins one queue after the other, in the order of the keys, so
 * that no two requests block each other.
 */
final class QueuePlace {

	private static final int UNKNOWN = -1;

	private final KeyQueues queues;

	private final LockPlan plan;

	private final Waiter waiter;

	private final @Nullable WeakReference<Thread> owner;

	private final KeyQueue[] joined;

	private int count;

	private @Nullable Lease lease;

	private boolean over;

	/** Whether releases were heard when its own was sent. */
	private boolean listened;

	/**
	 * A place in no queue yet.
	 * @param waiter is told when it may ask
	 * @param owner the thread that is to own the lease, if one is
	 */
	QueuePlace(KeyQueues queues, LockPlan plan, Waiter waiter, @Nullable WeakReference<Thread> owner) {
		this.queues = queues;
		this.plan = plan;
		this.waiter = waiter;
		this.owner = owner;
		this.joined = new KeyQueue[plan.keys().size()];
	}

	/**
	 * Joins all queues. The waiter is told when it is the first in each of them.
	 */
	void join() {
		while (this.count < this.joined.length) {
			KeyQueue queue = this.queues.of(this.plan.keys().get(this.count));
			this.joined[this.count++] = queue;
			if (!queue.join(this)) {
				return;
			}
		}
		this.waiter.onFirst();
	}

	/**
	 * The request has got its lease, and keeps its place until that has ended.
	 */
	void won(Lease held) {
		this.lease = held;
		for (KeyQueue queue : this.joined) {
			queue.won();
		}
	}

	/**
	 * Gives up its place in all queues, and lets those behind have theirs.
	 */
	void leave() {
		if (!this.over) {
			this.over = true;
			for (int i = 0; i < this.count; i++) {
				this.joined[i].leave(this);
			}
		}
	}

	/**
	 * Leaves its only queue if the next request there can ask right behind the release.
	 * @return the next one, or null if the release has to be announced
	 */
	@Nullable QueuePlace handOver() {
		if (!hasOneKey() || this.over) {
			return null;
		}
		this.listened = isSubscribed();
		QueuePlace next = this.joined[0].handOver(this);
		this.over = next != null;
		return next;
	}

	/**
	 * Leaves all queues after a release that is announced was sent.
	 */
	void released() {
		this.over = true;
		this.listened = isSubscribed();
		for (KeyQueue queue : this.joined) {
			queue.released(this);
		}
	}

	/**
	 * The release was answered.
	 */
	void releaseAnswered(Tally tally) {
		int listeners = UNKNOWN;
		for (Vote vote : tally.votes()) {
			if (vote instanceof Vote.Granted granted) {
				listeners = Math.max(listeners, granted.listeners());
			}
		}
		// Nodes tell the most of all keys, which says little of one of several.
		boolean known = listeners != UNKNOWN && hasOneKey();
		for (KeyQueue queue : this.joined) {
			queue.releaseAnswered(known ? Math.max(0, listeners - (this.listened ? 1 : 0)) : UNKNOWN);
		}
	}

	/**
	 * The request asks at once: the lock was handed over to it.
	 */
	void askNow() {
		this.waiter.askNow();
	}

	void onFirst() {
		if (!this.over) {
			join();
		}
	}

	void onNews(Duration pause) {
		if (!hasLease()) {
			this.waiter.onNews(pause);
		}
	}

	boolean hasOneKey() {
		return this.joined.length == 1;
	}

	boolean hasLease() {
		return this.lease != null;
	}

	/**
	 * Whether it has a lease that is valid.
	 */
	boolean holds() {
		return this.lease != null && this.lease.isValid();
	}

	boolean isOwnedBy(@Nullable Thread thread) {
		return this.owner != null && thread != null && this.owner.refersTo(thread);
	}

	/**
	 * For how long the lease is held, where there is one.
	 */
	Duration remaining() {
		return (this.lease != null) ? this.lease.remaining() : Duration.ZERO;
	}

	/**
	 * Listens for releases from here on, where that is possible.
	 */
	void subscribe() {
		List<LockNode> nodes = this.plan.nodes();
		for (KeyQueue queue : this.joined) {
			queue.subscribe(nodes);
		}
	}

	/**
	 * Whether a release of each key that another process announces will be heard.
	 */
	boolean isSubscribed() {
		boolean all = true;
		for (KeyQueue queue : this.joined) {
			all &= queue.others().isHeard();
		}
		return all;
	}

	/**
	 * Counts whatever has made another try worthwhile.
	 */
	long news() {
		long news = 0;
		for (KeyQueue queue : this.joined) {
			news += queue.others().news();
		}
		return news;
	}

	/**
	 * How long to wait before the nodes are asked.
	 */
	Duration pause() {
		Duration longest = Duration.ZERO;
		for (KeyQueue queue : this.joined) {
			Duration pause = queue.pause();
			longest = (pause.compareTo(longest) > 0) ? pause : longest;
		}
		return longest;
	}

	/**
	 * The nodes refused, and are asked again after a pause.
	 */
	void refused(TryResult result, Duration pause) {
		for (KeyQueue queue : this.joined) {
			queue.refused(result, pause);
		}
	}

	/**
	 * Whether the next release has to be announced, whatever it is of.
	 */
	boolean owesAnnouncement() {
		return hasOneKey() && this.joined[0].owesAnnouncement();
	}

	/**
	 * The request that waits at a place.
	 */
	interface Waiter {

		/**
		 * It is the first in all queues.
		 */
		void onFirst();

		/**
		 * It is to ask now.
		 */
		void askNow();

		/**
		 * Something has happened that makes another try worthwhile, after a pause that
		 * takes the place of the one before.
		 */
		void onNews(Duration pause);

	}

}

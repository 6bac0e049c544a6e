package dev.redlock.internal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The queues for all keys that requests of this process wait for or hold.
 */
final class KeyQueues {

	/** The limit for counting queues, because the count takes time at each release. */
	private static final int MOST_COUNTED = 16;

	private final LockContext context;

	private final Map<String, List<KeyQueue>> byKey = new HashMap<>();

	private boolean closed;

	KeyQueues(LockContext context) {
		this.context = context;
	}

	/**
	 * Returns the queue of the requests for the same keys, nodes and number of permits.
	 * If no such queue exists, returns a new queue, which is not added yet.
	 */
	KeyQueue of(LockPlan plan) {
		for (KeyQueue queue : sharing(plan.keys().get(0))) {
			if (queue.isFor(plan)) {
				return queue;
			}
		}
		return new KeyQueue(this, this.context, plan);
	}

	/**
	 * Adds a queue, unless it was added before.
	 */
	void add(KeyQueue queue) {
		for (String key : queue.keys()) {
			List<KeyQueue> same = this.byKey.computeIfAbsent(key, (absent) -> new ArrayList<>(1));
			if (!same.contains(queue)) {
				same.add(queue);
			}
		}
	}

	void remove(KeyQueue queue) {
		for (String key : queue.keys()) {
			this.byKey.computeIfPresent(key, (same, list) -> (list.remove(queue) && list.isEmpty()) ? null : list);
		}
	}

	/**
	 * Returns how many other queues wait for the same key as this queue. With several
	 * keys, returns the largest number for one key, as nodes do when they count the
	 * subscribed processes.
	 */
	int waitingBeside(KeyQueue queue) {
		int most = 0;
		for (String key : queue.keys()) {
			int waiting = 0;
			for (KeyQueue other : sharing(key)) {
				waiting += (other != queue && other.isWaitedFor()) ? 1 : 0;
				if (waiting == MOST_COUNTED) {
					return waiting;
				}
			}
			most = Math.max(most, waiting);
		}
		return most;
	}

	/**
	 * Accepts requests again after the lock was closed and opened.
	 */
	void open() {
		this.closed = false;
	}

	/**
	 * Closes all queues: no further request asks, and the subscriptions end.
	 */
	void close() {
		this.closed = true;
		List.copyOf(this.byKey.values()).forEach((queues) -> List.copyOf(queues).forEach(KeyQueue::close));
	}

	boolean isClosed() {
		return this.closed;
	}

	/**
	 * Returns the number of keys that have a queue.
	 */
	int size() {
		return this.byKey.size();
	}

	/** Returns all queues that a key belongs to. */
	private List<KeyQueue> sharing(String key) {
		return this.byKey.getOrDefault(key, List.of());
	}

}

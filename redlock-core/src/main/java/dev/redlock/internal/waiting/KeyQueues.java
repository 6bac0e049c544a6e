package dev.redlock.internal.waiting;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.redlock.internal.plan.LockPlan;
import dev.redlock.internal.vote.LockContext;

/**
 * The queues for all keys that requests of this process wait for or hold.
 */
public final class KeyQueues {

	/**
	 * Limits how many queues are counted, because the count takes time at each release.
	 */
	private static final int MOST_COUNTED = 16;

	private final LockContext context;

	private final Map<String, List<KeyQueue>> byKey = new HashMap<>();

	private boolean closed;

	public KeyQueues(LockContext context) {
		this.context = context;
	}

	/**
	 * Returns the queue for the request's keys, nodes and permits; a new queue is
	 * registered when the request joins.
	 */
	public KeyQueue of(LockPlan plan) {
		for (KeyQueue queue : sharing(plan.keys().get(0))) {
			if (queue.isFor(plan)) {
				return queue;
			}
		}
		return new KeyQueue(this, this.context, plan);
	}

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
	 * Returns the number of other queues that wait for the most wanted key of the given
	 * queue.
	 */
	int waitingBeside(KeyQueue queue) {
		int most = 0;
		for (String key : queue.keys()) {
			int waiting = 0;
			for (KeyQueue other : sharing(key)) {
				waiting += (other != queue && other.hasWaiters()) ? 1 : 0;
				if (waiting == MOST_COUNTED) {
					return waiting;
				}
			}
			most = Math.max(most, waiting);
		}
		return most;
	}

	public void open() {
		this.closed = false;
	}

	public void close() {
		this.closed = true;
		List.copyOf(this.byKey.values()).forEach((queues) -> List.copyOf(queues).forEach(KeyQueue::close));
	}

	public boolean isClosed() {
		return this.closed;
	}

	public int size() {
		return this.byKey.size();
	}

	private List<KeyQueue> sharing(String key) {
		return this.byKey.getOrDefault(key, List.of());
	}

}

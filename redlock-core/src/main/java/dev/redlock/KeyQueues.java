package dev.redlock;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The queues of all keys that a request of this process waits for or holds.
 */
final class KeyQueues {

	private final LockContext context;

	private final Map<String, KeyQueue> queues = new HashMap<>();

	private boolean closed;

	KeyQueues(LockContext context) {
		this.context = context;
	}

	/**
	 * The queue of a key, made if there is none.
	 */
	KeyQueue of(String key) {
		return this.queues.computeIfAbsent(key, (absent) -> new KeyQueue(this, this.context, absent));
	}

	/**
	 * Whether no request of this process waits for or holds any of the keys.
	 */
	boolean areFree(List<String> keys) {
		for (String key : keys) {
			KeyQueue queue = this.queues.get(key);
			if (queue != null && !queue.isEmpty()) {
				return false;
			}
		}
		return true;
	}

	/**
	 * The place of the request of this process whose valid lease stands in the way, if
	 * one does.
	 */
	@Nullable QueuePlace holderOf(List<String> keys) {
		for (String key : keys) {
			KeyQueue queue = this.queues.get(key);
			QueuePlace first = (queue != null) ? queue.first() : null;
			if (first != null && first.holds()) {
				return first;
			}
		}
		return null;
	}

	/**
	 * What the nodes last told those who are before others in the queues of the keys.
	 */
	@Nullable TryResult lastRefusal(List<String> keys) {
		for (String key : keys) {
			KeyQueue queue = this.queues.get(key);
			if (queue != null && queue.refusal() != null) {
				return queue.refusal();
			}
		}
		return null;
	}

	/**
	 * From here on no request becomes first, and no release is listened for.
	 */
	void close() {
		this.closed = true;
		List.copyOf(this.queues.values()).forEach(KeyQueue::close);
	}

	boolean isClosed() {
		return this.closed;
	}

	void remove(String key, KeyQueue queue) {
		this.queues.remove(key, queue);
	}

	/**
	 * How many keys have a queue.
	 */
	int size() {
		return this.queues.size();
	}

}

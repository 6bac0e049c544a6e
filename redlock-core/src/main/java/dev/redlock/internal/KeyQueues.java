package dev.redlock.internal;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The wait queues of all keys that a request of this process waits for or holds.
 */
final class KeyQueues {

	private final LockContext context;

	private final Map<String, KeyQueue> queues = new HashMap<>();

	private boolean closed;

	KeyQueues(LockContext context) {
		this.context = context;
	}

	/**
	 * Returns the queue of a key, and creates it if needed.
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
	 * Returns the place of a request of this process that holds one of the keys with a
	 * valid lease, if there is one.
	 */
	@Nullable QueuePlace holderOf(List<String> keys) {
		for (String key : keys) {
			KeyQueue queue = this.queues.get(key);
			QueuePlace holder = (queue != null) ? queue.holder() : null;
			if (holder != null) {
				return holder;
			}
		}
		return null;
	}

	/**
	 * Returns the last refusal in one of the queues that explains why a request for these
	 * keys waits, if there is one.
	 */
	@Nullable TryResult lastRefusal(List<String> keys) {
		for (String key : keys) {
			KeyQueue queue = this.queues.get(key);
			TryResult refusal = (queue != null) ? queue.refusal(keys) : null;
			if (refusal != null) {
				return refusal;
			}
		}
		return null;
	}

	/**
	 * Lets requests join again.
	 */
	void open() {
		this.closed = false;
	}

	/**
	 * Closes all queues: no further request becomes first, and the subscriptions end.
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
	 * Returns the number of keys that have a queue.
	 */
	int size() {
		return this.queues.size();
	}

}

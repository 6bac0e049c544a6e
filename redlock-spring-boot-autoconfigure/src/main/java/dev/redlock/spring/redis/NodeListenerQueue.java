package dev.redlock.spring.redis;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

import dev.redlock.spi.EventLoop;
import dev.redlock.spi.NodeListener;
import dev.redlock.spi.NodeStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a listener of one change after the other, on a thread that no node needs.
 */
final class NodeListenerQueue implements NodeListener {

	private static final Logger log = LoggerFactory.getLogger(NodeListenerQueue.class);

	private static final int LONGEST_QUEUE = 1_000;

	private final NodeListener listener;

	private final Executor executor;

	private final EventLoop loop;

	private final Deque<Change> changes = new ArrayDeque<>();

	private boolean telling;

	NodeListenerQueue(NodeListener listener, Executor executor, EventLoop loop) {
		this.listener = listener;
		this.executor = executor;
		this.loop = loop;
	}

	@Override
	public void nodeChanged(String node, NodeStatus from, NodeStatus to) {
		if (this.changes.size() >= LONGEST_QUEUE) {
			log.warn("Listeners are not told that redlock node '{}' is {}: {} changes wait for them already", node,
					to.state(), LONGEST_QUEUE);
			return;
		}
		this.changes.add(new Change(node, from, to));
		tellNext();
	}

	/**
	 * One batch at a time, so that no two threads tell changes out of order.
	 */
	private void tellNext() {
		if (this.telling || this.changes.isEmpty()) {
			return;
		}
		List<Change> batch = List.copyOf(this.changes);
		this.changes.clear();
		this.telling = true;
		try {
			this.executor.execute(() -> {
				batch.forEach(this::tell);
				told();
			});
		}
		catch (RejectedExecutionException ex) {
			this.telling = false;
			this.changes.addAll(batch);
			log.warn(
					"Listeners are not told yet that redlock node '{}' is {}: their executor is full or shut down. They"
							+ " are told with the next change.",
					batch.get(batch.size() - 1).node(), batch.get(batch.size() - 1).to().state());
		}
	}

	private void told() {
		try {
			this.loop.execute(() -> {
				this.telling = false;
				tellNext();
			});
		}
		catch (RejectedExecutionException ex) {
			log.debug("Listeners are told of no more changes, since the loop has ended");
		}
	}

	private void tell(Change change) {
		try {
			this.listener.nodeChanged(change.node(), change.from(), change.to());
		}
		catch (Throwable ex) {
			log.warn("A listener failed when it was told that redlock node '{}' is {}", change.node(),
					change.to().state(), ex);
		}
	}

	private record Change(String node, NodeStatus from, NodeStatus to) {

	}

}

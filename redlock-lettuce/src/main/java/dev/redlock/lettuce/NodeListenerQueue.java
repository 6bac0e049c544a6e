package dev.redlock.lettuce;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.redlock.spi.NodeStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a listener about changes in their order, on a thread that no node needs.
 */
final class NodeListenerQueue implements NodeListener {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.node");

	private static final int LONGEST_QUEUE = 1_000;

	private final NodeListener listener;

	private final Executor executor;

	private final BlockingQueue<Runnable> changes = new LinkedBlockingQueue<>(LONGEST_QUEUE);

	/** Whether a thread is telling changes. A second one could mix up their order. */
	private final AtomicBoolean telling = new AtomicBoolean();

	NodeListenerQueue(NodeListener listener, Executor executor) {
		this.listener = listener;
		this.executor = executor;
	}

	@Override
	public void nodeChanged(String node, NodeStatus from, NodeStatus to) {
		if (!this.changes.offer(() -> tell(node, from, to))) {
			logger.warn("Listeners do not hear that redlock node '{}' is {}: {} changes already wait for them", node,
					to.state(), LONGEST_QUEUE);
			return;
		}
		try {
			this.executor.execute(this::tellAll);
		}
		catch (RejectedExecutionException ex) {
			logger.warn(
					"Listeners do not hear yet that redlock node '{}' is {}: their executor is full or shut down. They"
							+ " hear it with the next change.",
					node, to.state());
		}
	}

	/**
	 * Tells all changes that wait, also those whose own task the executor has dropped.
	 */
	private void tellAll() {
		while (!this.changes.isEmpty() && this.telling.compareAndSet(false, true)) {
			try {
				for (Runnable change = this.changes.poll(); change != null; change = this.changes.poll()) {
					change.run();
				}
			}
			finally {
				this.telling.set(false);
			}
		}
	}

	private void tell(String node, NodeStatus from, NodeStatus to) {
		try {
			this.listener.nodeChanged(node, from, to);
		}
		catch (Throwable ex) {
			logger.warn("A listener failed for redlock node '{}' that became {}", node, to.state(), ex);
		}
	}

}

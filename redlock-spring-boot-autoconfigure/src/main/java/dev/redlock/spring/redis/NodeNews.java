package dev.redlock.spring.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;

import dev.redlock.spi.NodeListener;
import dev.redlock.spi.NodeStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a listener of changes on an executor of its own, one after the other.
 */
final class NodeNews implements NodeListener {

	private static final Logger log = LoggerFactory.getLogger(NodeNews.class);

	private final NodeListener listener;

	private final Executor executor;

	private final ReentrantLock order = new ReentrantLock();

	private CompletableFuture<?> last = CompletableFuture.completedFuture(null);

	NodeNews(NodeListener listener, Executor executor) {
		this.listener = listener;
		this.executor = executor;
	}

	@Override
	public void nodeChanged(String node, NodeStatus from, NodeStatus to) {
		this.order.lock();
		try {
			this.last = this.last.handleAsync((result, failure) -> {
				tell(node, from, to);
				return result;
			}, this.executor);
		}
		catch (RejectedExecutionException ex) {
			log.debug("Nobody is told that redlock node '{}' is {}, since the threads are gone", node, to.state());
		}
		finally {
			this.order.unlock();
		}
	}

	private void tell(String node, NodeStatus from, NodeStatus to) {
		try {
			this.listener.nodeChanged(node, from, to);
		}
		catch (RuntimeException ex) {
			log.warn("A listener failed when it was told that redlock node '{}' is {}", node, to.state(), ex);
		}
	}

}

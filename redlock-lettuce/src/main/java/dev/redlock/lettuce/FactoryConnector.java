package dev.redlock.lettuce;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Connects a node by a connection factory of the application. Its commands block a thread
 * that serves this node alone.
 */
final class FactoryConnector implements NodeConnector {

	private final RedisConnectionFactory factory;

	private final NodeContext context;

	private final ExecutorService worker;

	FactoryConnector(RedisConnectionFactory factory, NodeContext context) {
		this.factory = factory;
		this.context = context;
		this.worker = HelperThreads.pool("redlock-" + context.node(), 1);
	}

	@Override
	public Executor executor() {
		return this.worker;
	}

	@Override
	public NodeConnection connect(NodeClocks clocks) {
		FactoryConnection connection = new FactoryConnection(this.factory, this.context);
		return new FactoryNodeConnection(connection, clocks, this.worker, this.context);
	}

	@Override
	public String remedy(boolean bySentinel) {
		return "Set the right ones on its RedisConnectionFactory bean";
	}

	@Override
	public void close() {
		this.worker.shutdown();
	}

}

package dev.redlock.lettuce;

import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Connects a node by a connection factory of the application. Its commands block a thread
 * that serves this node alone.
 */
final class FactoryConnector implements NodeConnector {

	private final RedisConnectionFactory factory;

	private final NodeContext context;

	private final ThreadPoolExecutor worker;

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
	public NodeConnection connect(ServerCheck check) {
		ServerConnection server = new FactoryServerConnection(this.factory.getConnection(), this.worker, this.context,
				check.clocks());
		return new NodeServers(check, this.context.settings().keyPrefix(), server);
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

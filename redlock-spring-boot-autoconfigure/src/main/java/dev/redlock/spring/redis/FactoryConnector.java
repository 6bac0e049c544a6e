package dev.redlock.spring.redis;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.netty.util.concurrent.DefaultThreadFactory;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Connects a node by a connection factory of the application. Its commands block a thread
 * that serves this node alone.
 */
final class FactoryConnector implements NodeConnector {

	private static final int LONGEST_QUEUE = 1024;

	private static final Duration IDLE_THREAD = Duration.ofSeconds(30);

	private final RedisConnectionFactory factory;

	private final NodeContext context;

	private final ThreadPoolExecutor worker;

	FactoryConnector(String node, RedisConnectionFactory factory, NodeContext context) {
		this.factory = factory;
		this.context = context;
		this.worker = new ThreadPoolExecutor(1, 1, IDLE_THREAD.toMillis(), TimeUnit.MILLISECONDS,
				new ArrayBlockingQueue<>(LONGEST_QUEUE), new DefaultThreadFactory("redlock-" + node, true));
		this.worker.allowCoreThreadTimeOut(true);
	}

	@Override
	public Executor executor() {
		return this.worker;
	}

	@Override
	public NodeConnection connect(NodeClocks clocks) {
		FactoryConnection connection = new FactoryConnection(this.factory, this.context.settings());
		return new FactoryNodeConnection(connection, clocks, this.worker, this.context.loop(), this.context.ticker());
	}

	@Override
	public String remedy(String node, boolean bySentinel) {
		return "Set the right ones on its RedisConnectionFactory bean";
	}

	@Override
	public void close() {
		this.worker.shutdown();
	}

}

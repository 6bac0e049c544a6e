package dev.redlock.spring.redis;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import dev.redlock.spi.EventLoop;
import dev.redlock.spi.Ticker;
import io.netty.util.concurrent.DefaultThreadFactory;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Connects a node by a connection factory that belongs to the application. What the node
 * asks blocks one thread, which is the node's own.
 */
final class FactoryConnector implements NodeConnector {

	private static final int LONGEST_QUEUE = 1024;

	private static final Duration IDLE_THREAD = Duration.ofSeconds(30);

	private final RedisConnectionFactory factory;

	private final NodeSettings settings;

	private final EventLoop loop;

	private final Ticker ticker;

	private final ThreadPoolExecutor worker;

	FactoryConnector(String node, RedisConnectionFactory factory, NodeSettings settings, EventLoop loop,
			Ticker ticker) {
		this.factory = factory;
		this.settings = settings;
		this.loop = loop;
		this.ticker = ticker;
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
		return new FactoryNodeConnection(new FactoryConnection(this.factory, this.settings), clocks, this.worker,
				this.loop, this.ticker);
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

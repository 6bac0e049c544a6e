package dev.redlock.spring.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeListener;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Scheduler;
import dev.redlock.spi.Ticker;
import dev.redlock.spi.Vote;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import org.awaitility.Awaitility;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Makes nodes over real servers, and closes them.
 */
final class NodeFixture implements AutoCloseable {

	static final Duration BOUND = Duration.ofSeconds(15);

	private static final Duration LEAST_PERIOD = Duration.ofSeconds(15);

	private static final Duration LONGEST_PERIOD = Duration.ofSeconds(30);

	private static final int SOONER = 100;

	final ThreadScheduler scheduler = new ThreadScheduler("test-timer");

	final ExecutorService executor = Executors.newCachedThreadPool(DaemonThreads.named("test-connect"));

	final SystemTicker ticker = new SystemTicker();

	final NodeResources resources = NodeResources.create();

	final ServerRegistry registry = new ServerRegistry();

	final ScriptEncoder encoder = new ScriptEncoder();

	NodeListener listener = (node, from, to) -> {
	};

	private Scheduler nodeScheduler = this.scheduler;

	private final List<SupervisedNode> nodes = new ArrayList<>();

	private final List<AbstractRedisClient> clients = new ArrayList<>();

	static NodeSettings settings(boolean restartGuard, Duration maxTtl) {
		return new NodeSettings("", maxTtl, 0.01, restartGuard, Duration.ofMillis(100), Duration.ofMillis(500));
	}

	static NodeSettings unguarded() {
		return settings(false, Duration.ofSeconds(60));
	}

	/**
	 * What nodes do every 15 to 30 s happens a hundred times as often on those that are
	 * made from here on.
	 */
	NodeFixture lookSooner() {
		this.nodeScheduler = (delay, task) -> {
			boolean rare = delay.compareTo(LEAST_PERIOD) >= 0 && delay.compareTo(LONGEST_PERIOD) <= 0;
			return this.scheduler.schedule(rare ? delay.dividedBy(SOONER) : delay, task);
		};
		return this;
	}

	LettuceLockNode lettuce(String name, RedisURI uri, NodeSettings settings) {
		uri.setTimeout(Duration.ofMillis(500));
		return lettuce(name, RedisClient.create(this.resources.clientResources(), uri), settings);
	}

	LettuceLockNode lettuce(String name, AbstractRedisClient client, NodeSettings settings) {
		return lettuce(name, client, settings, this.ticker);
	}

	LettuceLockNode lettuce(String name, AbstractRedisClient client, NodeSettings settings, Ticker nodeTicker) {
		return lettuce(name, client, settings, this.nodeScheduler, nodeTicker);
	}

	LettuceLockNode lettuce(String name, AbstractRedisClient client, NodeSettings settings, Scheduler nodeScheduler,
			Ticker nodeTicker) {
		this.clients.add(client);
		return started(new LettuceLockNode(name, client, settings, this.registry, this.encoder, nodeScheduler,
				this.executor, nodeTicker, this.listener));
	}

	ConnectionFactoryLockNode adapter(String name, RedisConnectionFactory factory, NodeSettings settings) {
		return started(new ConnectionFactoryLockNode(name, factory, settings, this.registry, this.nodeScheduler,
				this.ticker, this.listener));
	}

	List<SupervisedNode> nodes() {
		return this.nodes;
	}

	<N extends SupervisedNode> N started(N node) {
		this.nodes.add(node);
		node.start();
		return node;
	}

	static <N extends LockNode> N await(N node, State state) {
		Awaitility.await(node.name() + " is " + state + ", was " + node.status())
			.atMost(BOUND)
			.pollInterval(Duration.ofMillis(5))
			.until(() -> node.status().state() == state);
		return node;
	}

	static Vote vote(CompletionStage<Vote> stage) {
		return stage.toCompletableFuture().orTimeout(BOUND.toSeconds(), TimeUnit.SECONDS).join();
	}

	static Claim claim(String key, String token) {
		return claim(key, token, Duration.ofSeconds(30));
	}

	static Claim claim(String key, String token, Duration ttl) {
		return new Claim(List.of(key), token, ttl);
	}

	/**
	 * Waits until what was called before has been handed to its connection.
	 */
	void awaitWritten() {
		CompletableFuture.runAsync(() -> {
		}, IoThread.of(this.resources.clientResources())).orTimeout(BOUND.toSeconds(), TimeUnit.SECONDS).join();
	}

	long fence() {
		return this.ticker.epochMicros();
	}

	@Override
	public void close() {
		this.nodes.forEach(SupervisedNode::close);
		this.clients.forEach((client) -> client.shutdown(Duration.ZERO, Duration.ofSeconds(2)));
		this.resources.close();
		this.scheduler.close();
		this.executor.shutdownNow();
	}

}

package dev.redlock.lettuce;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import dev.redlock.Redlock;
import dev.redlock.RedlockSettings;
import dev.redlock.lettuce.internal.check.LettuceConnector;
import dev.redlock.lettuce.internal.clock.NodeContext;
import dev.redlock.lettuce.internal.clock.PauseDetector;
import dev.redlock.lettuce.internal.connection.LoopWithTimers;
import dev.redlock.lettuce.internal.connection.NettyLoop;
import dev.redlock.lettuce.internal.connection.NodeResources;
import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.lettuce.internal.facts.ServerRegistry;
import dev.redlock.lettuce.internal.script.ScriptEncoder;
import dev.redlock.spi.Claim;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.ReleaseListener;
import dev.redlock.spi.Ticker;
import dev.redlock.spi.Vote;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.netty.util.concurrent.DefaultThreadFactory;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;

/**
 * Makes nodes over real servers, and closes both.
 */
public final class NodeFixture implements AutoCloseable {

	public static final Duration BOUND = Duration.ofSeconds(15);

	/** A condition may open a connection each time. */
	private static final Duration POLL_INTERVAL = Duration.ofMillis(10);

	private static final Duration NODE_TIMEOUT = Duration.ofMillis(500);

	private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

	/** Hears of releases and does nothing. */
	public static final ReleaseListener IGNORING = new ReleaseListener() {
		@Override
		public void listening() {
		}

		@Override
		public void released(String release, int listeners) {
		}
	};

	private static final Duration LEAST_PERIOD = Duration.ofSeconds(5);

	private static final Duration LONGEST_PERIOD = Duration.ofSeconds(30);

	private static final int SOONER = 100;

	public final ExecutorService executor = Executors
		.newCachedThreadPool(new DefaultThreadFactory("test-connect", true));

	public final Ticker ticker = Ticker.SYSTEM;

	public final NodeResources resources = NodeResources.create();

	public final NettyLoop loop = this.resources.loop();

	public final ServerRegistry registry = new ServerRegistry();

	public NodeListener listener = (node, from, to) -> {
	};

	/** What is declared of the nodes that are made from here on. */
	public boolean keepsAcknowledgedWrites;

	private EventLoop nodeLoop = this.loop;

	private final List<RedisLockNode> nodes = new ArrayList<>();

	private final List<AbstractRedisClient> clients = new ArrayList<>();

	/** The servers that were started here, in the order of their start. */
	public final List<RedisProcess> servers = new ArrayList<>();

	private final List<EditingProxy> proxies = new ArrayList<>();

	public static NodeSettings settings(boolean restartGuard, Duration maxTtl) {
		return settings("", maxTtl, restartGuard);
	}

	public static NodeSettings settings(String prefix, Duration maxTtl, boolean restartGuard) {
		return new NodeSettings(prefix, maxTtl, 0.01, restartGuard, false, false, NodeSettings.defaultRetention(maxTtl),
				NODE_TIMEOUT, CONNECT_TIMEOUT);
	}

	/**
	 * Returns settings for servers that no client can have used before.
	 */
	public static NodeSettings fresh(String prefix, Duration maxTtl) {
		return new NodeSettings(prefix, maxTtl, 0.01, true, false, true, NodeSettings.defaultRetention(maxTtl),
				NODE_TIMEOUT, CONNECT_TIMEOUT);
	}

	public static NodeSettings unguarded() {
		return settings(false, Duration.ofSeconds(60));
	}

	/**
	 * What nodes do every 5 to 30 s happens a hundred times as often on those that are
	 * made from here on.
	 */
	public NodeFixture lookSooner() {
		return lookSooner(LEAST_PERIOD);
	}

	/**
	 * What nodes do every 30 s or sooner, but not sooner than after the given time,
	 * happens a hundred times as often on those that are made from here on.
	 */
	public NodeFixture lookSooner(Duration least) {
		this.nodeLoop = new LoopWithTimers(this.loop, (delay, task) -> {
			boolean rare = delay.compareTo(least) >= 0 && delay.compareTo(LONGEST_PERIOD) <= 0;
			return this.loop.schedule(rare ? delay.dividedBy(SOONER) : delay, task);
		});
		return this;
	}

	public RedisProcess server(String... options) {
		return closing(RedisProcess.start(options));
	}

	public RedisProcess closing(RedisProcess server) {
		this.servers.add(server);
		return server;
	}

	public EditingProxy proxy(RedisProcess server) {
		EditingProxy proxy = EditingProxy.to(server);
		this.proxies.add(proxy);
		return proxy;
	}

	public RedisLockNode lettuce(String name, RedisURI uri, NodeSettings settings) {
		uri.setTimeout(CONNECT_TIMEOUT);
		return lettuce(name, RedisClient.create(this.resources.clientResources(), uri), settings);
	}

	public RedisLockNode cluster(String name, RedisURI uri, NodeSettings settings) {
		return lettuce(name, RedisClusterClient.create(this.resources.clientResources(), uri), settings);
	}

	public RedisLockNode lettuce(String name, AbstractRedisClient client, NodeSettings settings) {
		return lettuce(name, client, settings, this.ticker);
	}

	public RedisLockNode lettuce(String name, AbstractRedisClient client, NodeSettings settings, Ticker nodeTicker) {
		return lettuce(name, client, settings, this.nodeLoop, nodeTicker);
	}

	public RedisLockNode lettuce(String name, AbstractRedisClient client, NodeSettings settings, EventLoop ownLoop,
			Ticker nodeTicker) {
		this.clients.add(client);
		NodeContext context = context(name, settings, ownLoop, nodeTicker);
		LettuceConnector connector = new LettuceConnector(client, 0, context, new ScriptEncoder(settings),
				this.executor);
		return started(new RedisLockNode(connector, context, this.listener));
	}

	/**
	 * Starts nodes on the given loop. The resources stay open when the nodes are closed.
	 */
	public static LockNodes start(LockNodes.Builder builder, NodeSettings settings, NodeResources resources,
			EventLoop loop, Ticker ticker) {
		LockNodes nodes = builder.build(settings, loop, ticker, resources.clientResources(), () -> {
		});
		nodes.start();
		return nodes;
	}

	/**
	 * Returns a builder for the nodes of a test.
	 */
	public static LockNodes.Builder builder() {
		return LockNodes.with(RedlockSettings.DEFAULTS);
	}

	/**
	 * A lock over some nodes whose requests try once.
	 */
	public Redlock redlock(List<? extends LockNode> over, Duration ttl) {
		return redlock(over,
				RedlockSettings.builder()
					.keyPrefix("")
					.ttl(ttl)
					.maxTtl(ttl)
					.waitFor(Duration.ZERO)
					.nodeTimeout(Duration.ofMillis(500))
					.build(),
				this.loop, this.ticker);
	}

	public static Redlock redlock(List<? extends LockNode> over, RedlockSettings settings, EventLoop loop,
			Ticker ticker) {
		return Redlock.over(over)
			.settings(settings)
			.ticker(ticker)
			.loop(loop)
			.random(new SplittableRandom())
			.callbacks(Runnable::run)
			.build();
	}

	public List<RedisLockNode> nodes() {
		return this.nodes;
	}

	public NodeContext context(String name, NodeSettings settings, EventLoop ownLoop, Ticker nodeTicker) {
		return new NodeContext(name, this.keepsAcknowledgedWrites, settings, this.registry,
				new PauseDetector(1, settings, ownLoop, nodeTicker), ownLoop, nodeTicker);
	}

	private RedisLockNode started(RedisLockNode node) {
		this.nodes.add(node);
		node.start();
		return node;
	}

	public static <N extends LockNode> N await(N node, State state) {
		Awaitility.await(node.name() + " is " + state + ", was " + node.status())
			.atMost(BOUND)
			.pollInterval(Duration.ofMillis(5))
			.until(() -> node.status().state() == state);
		return node;
	}

	public static void await(Callable<Boolean> condition) {
		Awaitility.await().atMost(BOUND).pollInterval(POLL_INTERVAL).until(condition);
	}

	public static void awaitAsserted(ThrowingRunnable assertion) {
		Awaitility.await().atMost(BOUND).pollInterval(POLL_INTERVAL).untilAsserted(assertion);
	}

	/** Waits until the check of the server has ended, with whatever result. */
	public static State awaitChecked(LockNode node) {
		Awaitility.await()
			.atMost(BOUND)
			.pollInterval(Duration.ofMillis(1))
			.until(() -> !List.of(State.UNAVAILABLE, State.CHECKING).contains(node.status().state()));
		return node.status().state();
	}

	public static Vote vote(CompletionStage<Vote> stage) {
		return stage.toCompletableFuture().orTimeout(BOUND.toSeconds(), TimeUnit.SECONDS).join();
	}

	public static Claim claim(String key, String token) {
		return claim(key, token, Duration.ofSeconds(30));
	}

	public static Claim claim(String key, String token, Duration ttl) {
		return new Claim(List.of(key), token, ttl);
	}

	/**
	 * Waits until what was called before has been handed to its connection.
	 */
	public void awaitWritten() {
		// Once for the event that hands commands over, once for the end of its turn.
		CompletableFuture.runAsync(() -> {
		}, this.loop).thenRunAsync(() -> {
		}, this.loop).orTimeout(BOUND.toSeconds(), TimeUnit.SECONDS).join();
	}

	public long fence() {
		return this.ticker.epochMicros();
	}

	@Override
	public void close() {
		this.nodes.forEach(RedisLockNode::close);
		this.clients.forEach((client) -> client.shutdown(Duration.ZERO, Duration.ofSeconds(2)));
		this.resources.close();
		this.executor.shutdownNow();
		this.proxies.forEach(EditingProxy::close);
		this.servers.forEach(RedisProcess::close);
	}

}

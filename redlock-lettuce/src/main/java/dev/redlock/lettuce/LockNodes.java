package dev.redlock.lettuce;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

import dev.redlock.RedlockSettings;
import dev.redlock.lettuce.internal.check.LettuceConnector;
import dev.redlock.lettuce.internal.clock.ClockWatch;
import dev.redlock.lettuce.internal.clock.NodeContext;
import dev.redlock.lettuce.internal.clock.PauseDetector;
import dev.redlock.lettuce.internal.connection.HelperThreads;
import dev.redlock.lettuce.internal.connection.NettyLoop;
import dev.redlock.lettuce.internal.connection.NodeResources;
import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.lettuce.internal.facts.ServerRegistry;
import dev.redlock.lettuce.internal.script.ScriptEncoder;
import dev.redlock.lettuce.internal.state.EvictionWarning;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Ticker;
import io.lettuce.core.resource.ClientResources;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The Redis nodes that vote on the locks of an application, with their connections and
 * threads. The connection factories of the nodes are not Spring beans, so neither Spring
 * Boot nor the application uses them by accident.
 */
public final class LockNodes implements AutoCloseable {

	private static final Duration LONGEST_STOP = Duration.ofSeconds(1);

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.node");

	private static final String GUARD_OFF = "The restart guard is off (redlock.restart-guard.enabled=false): a server "
			+ "that was restarted or emptied votes at once, so two clients can hold the same lock. Remove the "
			+ "property in production.";

	private static final String DECLARED = "Redlock node '{}' is declared to keep each write that it has "
			+ "acknowledged (keeps-acknowledged-writes=true), and the lock does not check this. After a restart or a "
			+ "failover, the node votes at once if the server still has the key that identifies its data. If the "
			+ "server loses a write, two clients can hold the same lock.";

	private static final NodeListener NO_LISTENER = (node, from, to) -> {
	};

	/**
	 * Clients compare their settings rarely, so that an idle application sends few
	 * commands.
	 */
	private static final Duration COMPARISON_PERIOD = Duration.ofSeconds(90);

	private final EventLoop loop;

	private final ServerRegistry registry = new ServerRegistry();

	private final List<RedisLockNode> nodes = new ArrayList<>();

	private final List<LockNode> given;

	private final List<LettuceConnectionFactory> factories = new ArrayList<>();

	private final ExecutorService executor;

	private final QuorumWatch quorum;

	private final @Nullable NodeSettings settings;

	private volatile @Nullable SettingsComparison comparison;

	private final AtomicBoolean started = new AtomicBoolean();

	private final boolean throwAway;

	private final String owner;

	private final Runnable afterClose;

	private LockNodes(Builder builder, @Nullable NodeSettings settings, EventLoop loop, Runnable afterClose,
			List<? extends LockNode> given) {
		this.loop = loop;
		this.afterClose = afterClose;
		this.given = List.copyOf(given);
		this.settings = settings;
		this.throwAway = builder.throwAway;
		this.owner = builder.settings.owner();
		this.quorum = new QuorumWatch(builder.listener);
		// One thread per node suffices, because each node makes only one connection at a
		// time.
		this.executor = HelperThreads.pool("redlock-nodes", Math.max(1, builder.factories.size()));
	}

	/**
	 * Returns a builder to which Redis nodes are added.
	 * @param settings the settings of the lock that uses the nodes
	 * @return the builder
	 */
	public static Builder with(RedlockSettings settings) {
		return new Builder(settings);
	}

	/**
	 * Wraps nodes that already exist, for example the nodes of a test. The caller must
	 * close these nodes, because {@link #close} leaves them open.
	 * @param nodes the nodes to wrap
	 * @return the wrapped nodes
	 */
	public static LockNodes of(List<? extends LockNode> nodes) {
		NettyLoop loop = new NettyLoop("redlock-loop");
		return new LockNodes(with(RedlockSettings.DEFAULTS), null, loop, loop::close, nodes);
	}

	/**
	 * Returns by how much a Redis server's clock can get ahead unnoticed while a lock is
	 * held.
	 * @param maxTtl the largest ttl of any lock in the deployment
	 * @return the time by which each lease ends early because of clock steps
	 */
	public static Duration clockStep(Duration maxTtl) {
		return ClockWatch.unnoticed(maxTtl);
	}

	/**
	 * Returns the nodes that vote on locks.
	 * @return the nodes, in the order in which they were added
	 */
	public List<LockNode> list() {
		return Stream.concat(this.given.stream(), this.nodes.stream()).toList();
	}

	/**
	 * Returns the event loop, which the nodes and the lock must share.
	 * @return the event loop of the nodes
	 */
	public EventLoop loop() {
		return this.loop;
	}

	/**
	 * Reports how late each timer of the event loop runs.
	 * @param listener is told on the event loop how many nanoseconds late a timer ran
	 */
	public void onLag(LongConsumer listener) {
		if (this.loop instanceof NettyLoop own) {
			own.onLag(listener);
		}
	}

	/**
	 * Waits until every node has been checked or could not be reached.
	 * @param bound how long to wait for the nodes at most
	 * @return false if the time ran out or the thread was interrupted
	 */
	public boolean awaitFirstVerdicts(Duration bound) {
		try {
			firstVerdicts().get(bound.toNanos(), TimeUnit.NANOSECONDS);
			return true;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
		catch (ExecutionException | TimeoutException ex) {
			return false;
		}
	}

	/**
	 * Returns the nodes that do not vote on locks because another node already votes for
	 * the same server.
	 * @return the name of each node that does not vote on locks, with the name of the
	 * node that votes for its server
	 */
	public Map<String, String> duplicates() {
		return this.registry.duplicates();
	}

	/**
	 * Returns how the nodes or the max-ttl of another client differ from the settings of
	 * this client. The settings of clients are compared after all nodes have been
	 * connected, and only if {@code redlock.restart-guard.enabled} is true.
	 * @return a description of how the clients' settings differ, or empty if no
	 * difference is known
	 */
	public Optional<String> membershipProblem() {
		SettingsComparison current = this.comparison;
		return Optional.ofNullable((current != null) ? current.problem() : null);
	}

	/**
	 * Returns a warning if {@code redlock.restart-guard.enabled} is false outside of
	 * tests.
	 * @return a warning about the disabled restart guard, or empty if none is needed
	 */
	public Optional<String> restartGuardProblem() {
		boolean off = this.settings != null && !this.settings.restartGuard() && !this.throwAway;
		return off ? Optional.of(GUARD_OFF) : Optional.empty();
	}

	/**
	 * Returns a warning if servers may evict keys and vote on locks nevertheless.
	 * @return the nodes whose servers may evict keys, and what is lost with an eviction,
	 * or empty if {@code redlock.allow-eviction} is false or no server may evict keys
	 */
	public Optional<String> evictionProblem() {
		Map<String, String> policies = new TreeMap<>();
		if (this.settings != null && this.settings.allowEviction()) {
			for (RedisLockNode node : this.nodes) {
				String policy = node.evictionPolicy();
				if (policy != null) {
					policies.put(node.name(), policy);
				}
			}
		}
		return policies.isEmpty() ? Optional.empty() : Optional.of(EvictionWarning.text(policies));
	}

	/**
	 * Connects the nodes to Redis, for the first time or after {@link #stop}. Starting
	 * does not wait until the servers are connected.
	 */
	public void start() {
		if (!this.started.compareAndSet(false, true)) {
			return;
		}
		restartGuardProblem().ifPresent(logger::warn);
		this.nodes.stream()
			.filter(RedisLockNode::keepsAcknowledgedWrites)
			.forEach((node) -> logger.warn(DECLARED, node.name()));
		SettingsComparison comparison = (this.settings != null && this.settings.restartGuard())
				? new SettingsComparison(this.nodes, this.owner, this.settings, this.loop, COMPARISON_PERIOD) : null;
		this.comparison = comparison;
		this.loop.post(() -> {
			this.quorum.open();
			this.registry.clear();
		});
		this.nodes.forEach(RedisLockNode::start);
		firstVerdicts().thenRun(() -> this.loop.post(() -> {
			this.quorum.watch(this.nodes);
			if (comparison != null) {
				comparison.compareRepeatedly();
			}
		}));
	}

	/**
	 * Disconnects the nodes from Redis until they are started again.
	 */
	public void stop() {
		stopWatching();
		this.nodes.forEach(RedisLockNode::close);
		this.started.set(false);
	}

	/**
	 * Closes the nodes and their connection factories for good.
	 */
	@Override
	public void close() {
		stopWatching();
		this.nodes.forEach(RedisLockNode::close);
		this.executor.shutdownNow();
		this.factories.forEach(LettuceConnectionFactory::destroy);
		this.afterClose.run();
	}

	private CompletableFuture<Void> firstVerdicts() {
		return CompletableFuture
			.allOf(this.nodes.stream().map(RedisLockNode::firstVerdict).toArray(CompletableFuture[]::new));
	}

	/**
	 * Stops logging the states of the nodes, so that closing the nodes causes no
	 * warnings.
	 */
	private void stopWatching() {
		CompletableFuture<Void> stopped = new CompletableFuture<>();
		SettingsComparison current = this.comparison;
		boolean stops = this.loop.run(() -> {
			this.quorum.close();
			if (current != null) {
				current.close();
			}
			stopped.complete(null);
		});
		if (stops) {
			stopped.completeOnTimeout(null, LONGEST_STOP.toMillis(), TimeUnit.MILLISECONDS).join();
		}
	}

	/**
	 * A builder for {@link LockNodes}.
	 */
	public static final class Builder {

		private final RedlockSettings settings;

		private final Map<String, Function<ClientResources, LettuceConnectionFactory>> factories = new LinkedHashMap<>();

		private final Set<String> declared = new HashSet<>();

		private NodeListener listener = NO_LISTENER;

		private @Nullable ClientResources shared;

		private boolean restartGuard = true;

		private boolean allowEviction;

		private boolean throwAway;

		private boolean fresh;

		private @Nullable Duration retention;

		private Duration connectTimeout = Duration.ofSeconds(2);

		Builder(RedlockSettings settings) {
			this.settings = settings;
		}

		/**
		 * Adds a node with its own Lettuce connection.
		 * @param name the name of the node
		 * @param factory makes a connection factory with the given Lettuce resources; the
		 * nodes close this factory
		 * @return this builder
		 */
		public Builder lettuce(String name, Function<ClientResources, LettuceConnectionFactory> factory) {
			this.factories.put(name, factory);
			return this;
		}

		/**
		 * Declares that the servers of a node keep each acknowledged write over restarts
		 * and failovers. After this declaration, a restarted server votes on locks at
		 * once, unless all its data is lost. The library does not check whether the
		 * servers keep each write.
		 * @param name the name of the node
		 * @return this builder
		 */
		public Builder keepsAcknowledgedWrites(String name) {
			this.declared.add(name);
			return this;
		}

		/**
		 * Notifies a listener of each change of a node's state.
		 * @param listener receives each change of a node's state
		 * @param executor calls the listener; must run tasks one after the other, and
		 * never on the event loop
		 * @return this builder
		 */
		public Builder listener(NodeListener listener, Executor executor) {
			this.listener = (node, from, to) -> executor.execute(() -> listener.nodeChanged(node, from, to));
			return this;
		}

		/**
		 * Lets the nodes use the application's Lettuce resources, but not its I/O
		 * threads. The nodes do not close the application's resources.
		 * @param shared the Lettuce resources of the application, null for none
		 * @return this builder
		 */
		public Builder sharing(@Nullable ClientResources shared) {
			this.shared = shared;
			return this;
		}

		/**
		 * Sets whether a restarted server must wait before it votes on locks, until locks
		 * that it forgot have expired.
		 * @param restartGuard false to let a restarted server vote on locks at once
		 * @return this builder
		 */
		public Builder restartGuard(boolean restartGuard) {
			this.restartGuard = restartGuard;
			return this;
		}

		/**
		 * Sets whether a server votes on locks although it may evict keys. The restart
		 * guard then ignores evictions.
		 * @param allowEviction true if it does no harm that two processes hold one lock
		 * at the same time
		 * @return this builder
		 */
		public Builder allowEviction(boolean allowEviction) {
			this.allowEviction = allowEviction;
			return this;
		}

		/**
		 * Sets whether the servers are only for tests, so that a restarted server may
		 * vote on locks at once.
		 * @param throwAway true for servers of a test or of a developer's machine
		 * @return this builder
		 */
		public Builder throwAway(boolean throwAway) {
			this.throwAway = throwAway;
			return this;
		}

		/**
		 * Sets whether the servers are new, so that no client can hold a lock on them
		 * yet.
		 * @param fresh true for servers that no client has used before
		 * @return this builder
		 */
		public Builder fresh(boolean fresh) {
			this.fresh = fresh;
			return this;
		}

		/**
		 * Sets how long a node remembers the last fence of an unused lock name.
		 * @param retention at least three hours and ten times the largest ttl; null means
		 * 30 hours or ten times the largest ttl, whichever is longer
		 * @return this builder
		 * @throws IllegalArgumentException if the retention is too short
		 */
		public Builder retention(@Nullable Duration retention) {
			Duration least = NodeSettings.leastRetention(this.settings.maxTtl());
			if (retention != null && retention.compareTo(least) < 0) {
				throw new IllegalArgumentException("the retention is " + retention + ", and must be at least " + least
						+ ": 3 h, and 10 times redlock.max-ttl (" + this.settings.maxTtl()
						+ "). With a shorter retention fences may go down when a clock is set back by an hour.");
			}
			this.retention = retention;
			return this;
		}

		/**
		 * Sets the longest time that connecting to a server may take.
		 * @param connectTimeout the longest time to connect to a server
		 * @return this builder
		 */
		public Builder connectTimeout(Duration connectTimeout) {
			this.connectTimeout = connectTimeout;
			return this;
		}

		/**
		 * Creates the nodes without connecting them to Redis.
		 * @return the nodes, to be started with {@link LockNodes#start}
		 */
		public LockNodes build() {
			Duration maxTtl = this.settings.maxTtl();
			NodeSettings own = new NodeSettings(this.settings.keyPrefix(), maxTtl, this.settings.clockDriftFactor(),
					this.restartGuard && !this.throwAway, this.allowEviction, this.fresh,
					(this.retention != null) ? this.retention : NodeSettings.defaultRetention(maxTtl),
					this.settings.nodeTimeoutFor(maxTtl), this.connectTimeout);
			NodeResources resources = (this.shared != null) ? NodeResources.sharing(this.shared)
					: NodeResources.create();
			return build(own, resources.loop(), Ticker.SYSTEM, resources.clientResources(), resources::close);
		}

		LockNodes build(NodeSettings own, EventLoop loop, Ticker ticker, ClientResources resources,
				Runnable afterClose) {
			LockNodes nodes = new LockNodes(this, own, loop, afterClose, List.of());
			try {
				ScriptEncoder encoder = new ScriptEncoder(own);
				PauseDetector pauses = new PauseDetector(this.factories.size(), own, loop, ticker);
				this.factories.forEach((name, makes) -> {
					LettuceConnectionFactory factory = makes.apply(resources);
					nodes.factories.add(factory);
					factory.afterPropertiesSet();
					factory.start();
					NodeContext context = new NodeContext(name, this.declared.contains(name), own, nodes.registry,
							pauses, loop, ticker);
					LettuceConnector connector = new LettuceConnector(factory.getRequiredNativeClient(),
							factory.getDatabase(), context, encoder, nodes.executor);
					nodes.nodes.add(new RedisLockNode(connector, context, nodes.quorum));
				});
				return nodes;
			}
			catch (RuntimeException ex) {
				nodes.close();
				throw ex;
			}
		}

	}

}

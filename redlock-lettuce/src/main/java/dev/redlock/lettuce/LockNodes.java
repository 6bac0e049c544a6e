package dev.redlock.lettuce;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import dev.redlock.spi.EventLoop;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Ticker;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Owns the nodes of an application, starts, stops and closes them, together with their
 * connection factories and threads. The connection factories are not Spring beans, so
 * neither Spring Boot nor the application uses them by accident.
 */
public final class LockNodes implements AutoCloseable {

	private static final Duration LONGEST_STOP = Duration.ofSeconds(1);

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.node");

	private static final String GUARD_OFF = "The restart guard is off (redlock.restart-guard.enabled=false): a server "
			+ "that was restarted or emptied votes at once, so two clients can hold the same lock. Remove the property "
			+ "in production.";

	private static final String DECLARED = "Redlock node '{}' is said to keep each write that it has acknowledged "
			+ "(keeps-acknowledged-writes=true): declared, not checked. It votes at once after a restart or a failover "
			+ "that keeps its marker. If that is not true, two clients can hold the same lock.";

	private static final NodeListener NO_LISTENER = (node, from, to) -> {
	};

	/**
	 * Long enough that an application which locks nothing sends next to nothing.
	 */
	private static final Duration MEMBERSHIP_PERIOD = Duration.ofSeconds(90);

	private final EventLoop loop;

	private final ServerRegistry registry = new ServerRegistry();

	private final List<RedisLockNode> nodes = new ArrayList<>();

	private final List<LockNode> given;

	private final List<LettuceConnectionFactory> factories = new ArrayList<>();

	private final ExecutorService executor;

	private final QuorumWatch quorum;

	/** Null for nodes of somebody else. */
	private final @Nullable NodeSettings settings;

	/** Null before the first start, and without the restart guard. */
	private volatile @Nullable Membership membership;

	private final AtomicBoolean started = new AtomicBoolean();

	private String owner = "";

	private boolean throwAway;

	private Runnable afterClose = () -> {
	};

	private LockNodes(@Nullable NodeSettings settings, EventLoop loop, int size, List<? extends LockNode> given,
			NodeListener listener) {
		this.settings = settings;
		this.loop = loop;
		this.given = List.copyOf(given);
		this.quorum = new QuorumWatch(listener);
		// Connecting blocks a thread. Each node makes one connection at a time.
		this.executor = HelperThreads.pool("redlock-nodes", size);
	}

	/**
	 * Starts to collect nodes.
	 * @param settings the settings that the nodes share with the lock
	 * @param loop owns the state of the nodes, and of the lock over them
	 * @param ticker the clock
	 * @return the builder
	 */
	public static Builder with(NodeSettings settings, EventLoop loop, Ticker ticker) {
		return new Builder(settings, loop, ticker);
	}

	/**
	 * Wraps nodes that already exist, such as those of a test. They stay open when this
	 * object is closed.
	 * @param nodes the nodes
	 * @return the nodes
	 */
	public static LockNodes of(List<? extends LockNode> nodes) {
		NettyLoop loop = new NettyLoop("redlock-loop");
		LockNodes all = new LockNodes(null, loop, 1, nodes, NO_LISTENER);
		all.afterClose = loop::close;
		return all;
	}

	/**
	 * Returns the nodes.
	 * @return the nodes, in the order in which they were added
	 */
	public List<LockNode> list() {
		return Stream.concat(this.given.stream(), this.nodes.stream()).toList();
	}

	/**
	 * Returns the event loop that owns the state of the nodes. The lock needs the same
	 * one.
	 * @return the loop
	 */
	public EventLoop loop() {
		return this.loop;
	}

	/**
	 * Waits until each node was checked or turned out to be unreachable.
	 * @param bound how long to wait at most
	 * @return whether each node has a first result
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
	 * Returns the nodes that lead to the same server as another node.
	 * @return the name of each such node, with the node that votes for its server
	 */
	public Map<String, String> duplicates() {
		return this.registry.duplicates();
	}

	/**
	 * Returns how the nodes or the max-ttl of another client differ from those of this
	 * one. This is known from the first connection on, and only with the restart guard.
	 * @return a text for people, or empty if no difference is known
	 */
	public Optional<String> membershipProblem() {
		Membership current = this.membership;
		return Optional.ofNullable((current != null) ? current.problem() : null);
	}

	/**
	 * Returns why the restart guard should be on.
	 * @return a text for people, or empty if it is on or not needed
	 */
	public Optional<String> restartGuardProblem() {
		boolean off = this.settings != null && !this.settings.restartGuard() && !this.throwAway;
		return off ? Optional.of(GUARD_OFF) : Optional.empty();
	}

	/**
	 * Connects the nodes, for the first time or after {@link #stop}. Does not wait for
	 * their servers. Does nothing if the nodes were started and not stopped since.
	 */
	public void start() {
		if (!this.started.compareAndSet(false, true)) {
			return;
		}
		restartGuardProblem().ifPresent(logger::warn);
		this.nodes.stream()
			.filter(RedisLockNode::keepsAcknowledgedWrites)
			.forEach((node) -> logger.warn(DECLARED, node.name()));
		Membership comparison = (this.settings != null && this.settings.restartGuard())
				? new Membership(this.nodes, this.owner, this.settings, this.loop, MEMBERSHIP_PERIOD) : null;
		this.membership = comparison;
		this.loop.post(() -> {
			this.quorum.open();
			this.registry.clear();
		});
		this.nodes.forEach(RedisLockNode::start);
		firstVerdicts().thenRun(() -> this.loop.post(() -> {
			this.quorum.watch(this.nodes);
			if (comparison != null) {
				// A wrong list usually shows when an application starts.
				comparison.look();
			}
		}));
	}

	/**
	 * Disconnects the nodes. They can be started again.
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
	 * Runs before the nodes are closed, so that closing them is not reported.
	 */
	private void stopWatching() {
		CompletableFuture<Void> stopped = new CompletableFuture<>();
		Membership current = this.membership;
		boolean stops = this.loop.run(() -> {
			this.quorum.close();
			if (current != null) {
				current.close();
			}
			stopped.complete(null);
		});
		// After the end of the loop nothing can be reported any more.
		if (stops) {
			stopped.completeOnTimeout(null, LONGEST_STOP.toMillis(), TimeUnit.MILLISECONDS).join();
		}
	}

	/**
	 * Collects nodes.
	 */
	public static final class Builder {

		private final NodeSettings settings;

		private final EventLoop loop;

		private final Ticker ticker;

		private final ScriptEncoder encoder;

		private final List<BiFunction<LockNodes, PauseDetector, RedisLockNode>> makers = new ArrayList<>();

		private final Set<String> declared = new HashSet<>();

		private NodeListener listener = NO_LISTENER;

		private String owner = "";

		private boolean throwAway;

		private Runnable afterClose = () -> {
		};

		private Builder(NodeSettings settings, EventLoop loop, Ticker ticker) {
			this.settings = settings;
			this.loop = loop;
			this.ticker = ticker;
			this.encoder = new ScriptEncoder(settings);
		}

		/**
		 * Adds a node with a Lettuce connection of its own.
		 * @param name the name of the node
		 * @param factory knows how to connect; the nodes close it
		 * @return this builder
		 */
		public Builder lettuce(String name, LettuceConnectionFactory factory) {
			this.makers.add((nodes, pauses) -> {
				NodeContext context = context(name, nodes, pauses);
				nodes.factories.add(factory);
				factory.afterPropertiesSet();
				factory.start();
				LettuceConnector connector = new LettuceConnector(factory.getRequiredNativeClient(), context,
						this.encoder, nodes.executor);
				return new RedisLockNode(connector, context);
			});
			return this;
		}

		/**
		 * Declares that the servers of a node keep each write that they have answered,
		 * over restarts and failovers. The node then waits only if its marker is lost.
		 * Nobody checks that.
		 * @param name the name of the node
		 * @return this builder
		 */
		public Builder keepsAcknowledgedWrites(String name) {
			this.declared.add(name);
			return this;
		}

		/**
		 * Tells a listener about each change of a node's state.
		 * @param listener the listener
		 * @param executor calls the listener; it must run its tasks one after the other,
		 * in order, and on another thread than the event loop
		 * @return this builder
		 */
		public Builder listener(NodeListener listener, Executor executor) {
			this.listener = (node, from, to) -> executor.execute(() -> listener.nodeChanged(node, from, to));
			return this;
		}

		/**
		 * Sets the label that other clients see if their settings differ.
		 * @param owner the public label of this client
		 * @return this builder
		 */
		public Builder owner(String owner) {
			this.owner = owner;
			return this;
		}

		/**
		 * Sets whether the servers are thrown away after use, so that they need no
		 * restart guard.
		 * @param throwAway true for servers of a test or of a developer's machine
		 * @return this builder
		 */
		public Builder throwAway(boolean throwAway) {
			this.throwAway = throwAway;
			return this;
		}

		/**
		 * Sets what else to close.
		 * @param afterClose runs after the nodes and their factories were closed
		 * @return this builder
		 */
		public Builder afterClose(Runnable afterClose) {
			this.afterClose = afterClose;
			return this;
		}

		/**
		 * Makes the nodes and starts them. Does not wait for their servers.
		 * @return the nodes
		 */
		public LockNodes start() {
			LockNodes nodes = build();
			try {
				nodes.start();
				return nodes;
			}
			catch (RuntimeException ex) {
				nodes.close();
				throw ex;
			}
		}

		/**
		 * Makes the nodes, without connecting them.
		 * @return the nodes
		 */
		public LockNodes build() {
			LockNodes nodes = new LockNodes(this.settings, this.loop, Math.max(1, this.makers.size()), List.of(),
					this.listener);
			nodes.owner = this.owner;
			nodes.throwAway = this.throwAway;
			nodes.afterClose = this.afterClose;
			try {
				PauseDetector pauses = new PauseDetector(this.makers.size(), this.settings, this.loop, this.ticker);
				this.makers.forEach((maker) -> nodes.nodes.add(maker.apply(nodes, pauses)));
				return nodes;
			}
			catch (RuntimeException ex) {
				nodes.close();
				throw ex;
			}
		}

		private NodeContext context(String name, LockNodes nodes, PauseDetector pauses) {
			return new NodeContext(name, this.declared.contains(name), this.settings, nodes.registry, pauses, this.loop,
					this.ticker, nodes.quorum);
		}

	}

}

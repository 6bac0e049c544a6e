package dev.redlock;

import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

import dev.redlock.internal.client.Engine;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * A client that locks resources on a majority of independent nodes.
 * <p>
 * One object serves a whole application and is thread-safe. Actions that depend on the
 * returned stages run on the executor of {@link Builder#callbacks}.
 * <p>
 * The first request connects to the nodes and blocks until the connections exist, unless
 * {@link #open} was called before. After {@link #close}, requests fail until
 * {@link #open} is called again.
 */
public final class Redlock implements AutoCloseable {

	private final Engine engine;

	private final List<RedlockListener> listeners;

	private Redlock(Engine engine, List<RedlockListener> listeners) {
		this.engine = engine;
		this.listeners = listeners;
	}

	/**
	 * Creates a builder for a client of the given nodes.
	 */
	public static Builder over(List<? extends LockNode> nodes) {
		return new Builder(nodes);
	}

	/**
	 * Requests a lock without blocking. The request waits for the lock as long as its
	 * settings allow. Cancelling the returned stage ends the request and leaves nothing
	 * on the nodes.
	 * @return a stage that completes with the outcome of the request, exceptionally only
	 * if the stage is cancelled
	 */
	public CompletionStage<LockAttempt> attempt(LockRequest request) {
		return this.engine.attempt(request);
	}

	/**
	 * Requests a lock, and blocks the calling thread until the request ends. If the
	 * thread is interrupted, the attempt ends as
	 * {@link LockNotAcquiredException.Reason#INTERRUPTED} and the interrupt flag is set
	 * again. Renewal of the lease stops when the calling thread ends. If the calling
	 * thread still holds the lock by an earlier call of this method, the request ends at
	 * once as {@link LockNotAcquiredException.Reason#HELD}. Use {@link #attempt} if
	 * another thread closes the lease.
	 */
	public LockAttempt attemptAndWait(LockRequest request) {
		return this.engine.attemptAndWait(request, true);
	}

	/**
	 * Requests a lock like {@link #attemptAndWait}, but renewal does not stop when the
	 * calling thread ends. Call this method only if the lease is always released, by this
	 * caller or by the code that gets the lease.
	 */
	public LockAttempt attemptInScope(LockRequest request) {
		return this.engine.attemptAndWait(request, false);
	}

	/**
	 * Asks the nodes what they know about a resource. If this process has locked the
	 * resource, only the nodes of this lock are asked. The inspection is for people and
	 * dashboards, because it may be outdated when it is read.
	 * @return a stage that completes when each node has answered or its node timeout has
	 * passed
	 */
	public CompletionStage<Inspection> inspect(String resource) {
		return inspect(LockRequest.of(resource));
	}

	/**
	 * Asks the nodes of a request what they know about the resource of the request. A
	 * request that selects no nodes asks the same nodes as {@link #inspect(String)}.
	 * @return a stage that completes when each node has answered or its node timeout has
	 * passed
	 * @throws IllegalArgumentException if the request names several resources, or nodes
	 * that do not exist
	 */
	public CompletionStage<Inspection> inspect(LockRequest request) {
		return this.engine.inspect(request);
	}

	/**
	 * Asks the nodes what they know about each permit of a resource.
	 * @return a stage that completes with an inspection of each permit; empty if neither
	 * this process nor a holder's label tells the number of permits
	 * @throws IllegalArgumentException if the request names several resources, or nodes
	 * that do not exist
	 */
	public CompletionStage<List<Inspection>> inspectPermits(LockRequest request) {
		return this.engine.inspectPermits(request);
	}

	/**
	 * Checks that the ttl of a request fits the settings, that the nodes that the request
	 * selects exist, and that {@code maxHold} is only set together with renewal. A lease
	 * that is extended by hand may have {@code maxHold} without renewal.
	 * @throws IllegalArgumentException if the request is not possible; the message says
	 * what to change
	 */
	public void check(LockRequest request) {
		this.engine.check(request);
	}

	/**
	 * Returns the settings of this client.
	 */
	public RedlockSettings settings() {
		return this.engine.settings();
	}

	/**
	 * Returns the nodes that vote, in the order of their configuration.
	 */
	public List<LockNode> nodes() {
		return this.engine.nodes();
	}

	/**
	 * Returns how many nodes may vote, by their last known states, without sending
	 * anything to the nodes.
	 */
	public QuorumStatus quorum() {
		return QuorumStatus.of(nodes(), isClosed());
	}

	/**
	 * Returns the leases that this process holds now, without their tokens and sorted by
	 * their resources.
	 */
	public List<LeaseSnapshot> leases() {
		return this.engine.leases();
	}

	/**
	 * Returns the number of requests of this process that are waiting now, by the name of
	 * the resource.
	 */
	public SortedMap<String, Integer> waiters() {
		return this.engine.waiters();
	}

	/**
	 * Takes a lease of this process away from its holder and releases it on the nodes.
	 * The holder is notified of the loss ({@link LossReason#REVOKED}). Only operators
	 * should call this method, because a holder that ignores the loss continues without a
	 * lock.
	 * @param resource the name of a locked resource, or of a permit such as {@code ocr#2}
	 * @return a stage that completes with the result of the release; empty if this
	 * process holds no lease on the resource
	 */
	public Optional<CompletionStage<ReleaseResult>> revoke(String resource) {
		return this.engine.revoke(SafeNames.of(resource));
	}

	/**
	 * Returns whether the client was closed and not opened again.
	 */
	public boolean isClosed() {
		return this.engine.isClosed();
	}

	/**
	 * Connects to the nodes, even after {@link #close}, and blocks until the connections
	 * exist.
	 */
	public void open() {
		this.engine.open();
	}

	/**
	 * Lets work under the leases of this client end, and then disconnects from the nodes.
	 * From this call on, new and waiting requests fail as
	 * {@link LockNotAcquiredException.Reason#SHUTTING_DOWN}. Leases stay, are renewed,
	 * and are released when their holders release them.
	 * <p>
	 * After {@link RedlockSettings#shutdownTimeout()}, a lease that is still held is lost
	 * ({@link LossReason#SHUT_DOWN}). Its keys stay on the nodes until they expire, so
	 * that no other process gets the lock while the work may still run. With
	 * {@link RedlockSettings#releaseRunning()}, its keys are deleted, except for the time
	 * of {@link LockRequest#atLeast()} and of {@link RedlockSettings#lockDelay()}.
	 * <p>
	 * The method does not wait for leases of the calling thread, because that thread
	 * cannot release them meanwhile. An interrupt does not end the wait. A second call
	 * waits for the end of the first.
	 */
	@Override
	public void close() {
		this.engine.close();
	}

	/**
	 * Closes the client like {@link #close()}, without blocking the calling thread.
	 * @return a stage that completes when the client has disconnected from the nodes
	 */
	public CompletionStage<Void> closeAsync() {
		return this.engine.closeAsync().minimalCompletionStage();
	}

	/**
	 * Adds a listener, which must not block. The listener is notified of requests that
	 * begin after this call, and of all losses.
	 */
	public void addListener(RedlockListener listener) {
		this.listeners.add(listener);
	}

	/**
	 * Removes a listener.
	 */
	public void removeListener(RedlockListener listener) {
		this.listeners.remove(listener);
	}

	Engine engine() {
		return this.engine;
	}

	/**
	 * A builder for {@link Redlock}.
	 */
	public static final class Builder {

		private final List<LockNode> nodes;

		private RedlockSettings settings = RedlockSettings.DEFAULTS;

		private Ticker ticker = Ticker.SYSTEM;

		private @Nullable EventLoop loop;

		private RandomGenerator random = new SecureRandom();

		private @Nullable Executor callbacks;

		private List<RedlockListener> listeners = List.of();

		private Runnable connect = () -> {
		};

		private Runnable disconnect = () -> {
		};

		private Builder(List<? extends LockNode> nodes) {
			this.nodes = List.copyOf(nodes);
			long names = nodes.stream().map(LockNode::name).distinct().count();
			if (names == 0 || names < nodes.size()) {
				throw new IllegalArgumentException("A Redlock needs at least one node, each with a name of its own");
			}
		}

		/**
		 * Sets the defaults and limits of requests.
		 */
		public Builder settings(RedlockSettings settings) {
			this.settings = settings;
			return this;
		}

		/**
		 * Sets the clock of the client, which is the clock of this machine by default.
		 */
		public Builder ticker(Ticker ticker) {
			this.ticker = ticker;
			return this;
		}

		/**
		 * Sets the event loop, whose thread owns the state of the client and runs its
		 * timers. Several clients may share one event loop.
		 */
		public Builder loop(EventLoop loop) {
			this.loop = loop;
			return this;
		}

		/**
		 * Sets the random generator for tokens and delays, a {@link SecureRandom} by
		 * default. The random generator must be thread-safe and unpredictable.
		 */
		public Builder random(RandomGenerator random) {
			this.random = random;
			return this;
		}

		/**
		 * Sets the executor that reports outcomes and losses. Actions that depend on the
		 * stages of requests and leases run on this executor. If actions block all
		 * threads of the executor, reports of outcomes and losses get new threads.
		 */
		public Builder callbacks(Executor callbacks) {
			this.callbacks = callbacks;
			return this;
		}

		/**
		 * Sets the listener for requests and leases, which must not block.
		 */
		public Builder listener(RedlockListener listener) {
			this.listeners = List.of(listener);
			return this;
		}

		/**
		 * Sets the actions that connect to the nodes and disconnect from the nodes.
		 * @param connect runs when the client is opened, or before its first request; may
		 * block for some seconds
		 * @param disconnect runs when the client is closed, after its leases were
		 * released
		 */
		public Builder connections(Runnable connect, Runnable disconnect) {
			this.connect = connect;
			this.disconnect = disconnect;
			return this;
		}

		/**
		 * Builds the client.
		 * @throws IllegalStateException if the event loop or the executor of
		 * {@link #callbacks} is missing
		 */
		public Redlock build() {
			List<RedlockListener> all = new CopyOnWriteArrayList<>(this.listeners);
			return new Redlock(new Engine(this.nodes, this.settings, given("loop", this.loop), this.ticker, this.random,
					given("callbacks", this.callbacks), all, this.connect, this.disconnect), all);
		}

		private static <T> T given(String name, @Nullable T value) {
			if (value == null) {
				throw new IllegalStateException("A Redlock needs a " + name + ". Set the " + name + " on the builder.");
			}
			return value;
		}

	}

}

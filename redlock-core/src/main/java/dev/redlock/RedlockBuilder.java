package dev.redlock;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

import dev.redlock.spi.EventLoop;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * A builder for {@link Redlock}.
 */
public final class RedlockBuilder {

	private final List<LockNode> nodes;

	private RedlockSettings settings = RedlockSettings.DEFAULTS;

	private @Nullable Ticker ticker;

	private @Nullable EventLoop loop;

	private @Nullable RandomGenerator random;

	private @Nullable Executor callbacks;

	private List<RedlockListener> listeners = List.of();

	private Runnable connect = () -> {
	};

	private Runnable disconnect = () -> {
	};

	RedlockBuilder(List<? extends LockNode> nodes) {
		this.nodes = List.copyOf(nodes);
		long names = nodes.stream().map(LockNode::name).distinct().count();
		if (names == 0 || names < nodes.size()) {
			throw new IllegalArgumentException("A Redlock needs at least one node, each with a name of its own");
		}
	}

	/**
	 * Sets the defaults and limits of requests.
	 * @param settings the settings
	 * @return this builder
	 */
	public RedlockBuilder settings(RedlockSettings settings) {
		this.settings = settings;
		return this;
	}

	/**
	 * Sets the clock.
	 * @param ticker the clock
	 * @return this builder
	 */
	public RedlockBuilder ticker(Ticker ticker) {
		this.ticker = ticker;
		return this;
	}

	/**
	 * Sets the event loop, whose thread owns the state of the lock and runs its timers.
	 * @param loop the loop; several locks may share one
	 * @return this builder
	 */
	public RedlockBuilder loop(EventLoop loop) {
		this.loop = loop;
		return this;
	}

	/**
	 * Sets the random generator for tokens and delays.
	 * @param random a thread-safe and unpredictable generator
	 * @return this builder
	 */
	public RedlockBuilder random(RandomGenerator random) {
		this.random = random;
		return this;
	}

	/**
	 * Sets the executor that reports outcomes and losses. Actions that depend on the
	 * stages of requests and leases run there. If they block all of its threads, the
	 * reports behind them get threads of their own.
	 * @param callbacks the executor
	 * @return this builder
	 */
	public RedlockBuilder callbacks(Executor callbacks) {
		this.callbacks = callbacks;
		return this;
	}

	/**
	 * Sets the listener for requests and leases.
	 * @param listener the listener; wrap it in a {@link ListenerQueue} if it may block
	 * @return this builder
	 */
	public RedlockBuilder listener(RedlockListener listener) {
		this.listeners = List.of(listener);
		return this;
	}

	/**
	 * Sets how the nodes are connected and disconnected, for nodes that are not always
	 * connected.
	 * @param connect runs before the first request, or when the lock is opened, and each
	 * time that a closed lock is opened again; may block for some seconds
	 * @param disconnect runs when the lock is closed, after its leases were released
	 * @return this builder
	 */
	public RedlockBuilder connections(Runnable connect, Runnable disconnect) {
		this.connect = connect;
		this.disconnect = disconnect;
		return this;
	}

	/**
	 * Builds the lock.
	 * @return the lock
	 * @throws IllegalStateException if the clock, the loop, the randomness or the
	 * executor for callbacks is missing
	 */
	public Redlock build() {
		Ticker clock = given("ticker", this.ticker);
		EventLoop events = given("loop", this.loop);
		RandomGenerator randomness = given("random", this.random);
		Callbacks reports = new Callbacks(given("callbacks", this.callbacks));
		return new Redlock(this.nodes,
				new LockContext(this.settings, events, clock, randomness, reports, RedlockListener.all(this.listeners),
						new Tokens(randomness, this.settings.owner()), new FenceProposals(clock, this.settings),
						new Releases(clock, events), new RoundTimes()),
				new LockLifecycle(this.connect, this.disconnect));
	}

	private static <T> T given(String name, @Nullable T value) {
		if (value == null) {
			throw new IllegalStateException("A Redlock needs a " + name + ": set it on the builder");
		}
		return value;
	}

}

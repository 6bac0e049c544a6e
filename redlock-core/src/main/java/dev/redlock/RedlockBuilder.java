package dev.redlock;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.random.RandomGenerator;

import dev.redlock.spi.LockNode;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * Collects what a lock is made of.
 */
public final class RedlockBuilder {

	private final List<LockNode> nodes;

	private RedlockSettings settings = RedlockSettings.DEFAULTS;

	private @Nullable Ticker ticker;

	private @Nullable EventLoop loop;

	private @Nullable RandomGenerator random;

	private @Nullable Executor callbacks;

	private RedlockListener listener = new RedlockListener() {
	};

	RedlockBuilder(List<? extends LockNode> nodes) {
		this.nodes = List.copyOf(nodes);
		long names = nodes.stream().map(LockNode::name).distinct().count();
		if (names == 0 || names < nodes.size()) {
			throw new IllegalArgumentException("A Redlock needs at least one node, each with a name of its own");
		}
	}

	/**
	 * Defaults and limits.
	 * @param settings the settings
	 * @return this builder
	 */
	public RedlockBuilder settings(RedlockSettings settings) {
		this.settings = settings;
		return this;
	}

	/**
	 * The clock.
	 * @param ticker the clock
	 * @return this builder
	 */
	public RedlockBuilder ticker(Ticker ticker) {
		this.ticker = ticker;
		return this;
	}

	/**
	 * The thread that owns the state of the lock, with its timers.
	 * @param loop the loop; several locks may share one
	 * @return this builder
	 */
	public RedlockBuilder loop(EventLoop loop) {
		this.loop = loop;
		return this;
	}

	/**
	 * The randomness of tokens and delays.
	 * @param random a thread-safe and unpredictable generator
	 * @return this builder
	 */
	public RedlockBuilder random(RandomGenerator random) {
		this.random = random;
		return this;
	}

	/**
	 * Where verdicts and losses are told: what hangs on the stages of requests and leases
	 * runs here.
	 * @param callbacks the executor
	 * @return this builder
	 */
	public RedlockBuilder callbacks(Executor callbacks) {
		this.callbacks = callbacks;
		return this;
	}

	/**
	 * Who is told what happens to requests and leases.
	 * @param listener the listener; one that may block belongs into a
	 * {@link ListenerQueue}
	 * @return this builder
	 */
	public RedlockBuilder listener(RedlockListener listener) {
		this.listener = listener;
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
		Executor executor = accepting(given("callbacks", this.callbacks));
		return new Redlock(this.nodes, new LockContext(this.settings, events, clock, randomness, executor,
				this.listener, new Tokens(randomness, this.settings.owner()),
				new FenceProposals(clock, this.nodes, this.settings), new Releases(clock, events), new RoundTimes()));
	}

	/**
	 * No verdict and no loss is dropped because an executor is full or was shut down: the
	 * JDK's own pool takes over.
	 */
	private static Executor accepting(Executor executor) {
		return (task) -> {
			try {
				executor.execute(task);
			}
			catch (RejectedExecutionException ex) {
				// Not on this thread, which may be one that serves the nodes.
				CompletableFuture.runAsync(task);
			}
		};
	}

	private static <T> T given(String name, @Nullable T value) {
		if (value == null) {
			throw new IllegalStateException("A Redlock needs a " + name + ": set it on the builder");
		}
		return value;
	}

}

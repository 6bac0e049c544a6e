package dev.redlock.test.scripted;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.redlock.Redlock;
import dev.redlock.RedlockSettings;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.memory.ManualTime;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.Ticker;
import dev.redlock.spring.template.RedLockTemplate;

import org.springframework.util.function.SingletonSupplier;

/**
 * Several independent nodes in memory, named "a", "b", "c" and so on, and real locks over
 * these nodes, for tests without Redis.
 * <p>
 * With manual time a test decides when a lease expires or a late answer comes, and all
 * work runs on the thread of the test. This thread must not wait: request locks with no
 * time to wait, or asynchronously, and let {@link #time()} advance. In real time a thread
 * can wait for locks.
 */
public final class ScriptedNodes implements AutoCloseable {

	private static final int MOST_NODES = 26;

	private final List<ScriptedNode> nodes;

	private final Ticker ticker;

	private final EventLoop loop;

	private final Executor executor;

	private final Runnable afterClose;

	private final Queue<Redlock> locks = new ConcurrentLinkedQueue<>();

	private final SingletonSupplier<Redlock> first = SingletonSupplier
		.of(() -> anotherRedlock(RedlockSettings.DEFAULTS));

	private ScriptedNodes(int count, Ticker ticker, EventLoop loop, Executor executor, Runnable afterClose) {
		if (count < 1 || count > MOST_NODES) {
			throw new IllegalArgumentException("There can be from 1 to " + MOST_NODES + " nodes, not " + count);
		}
		this.ticker = ticker;
		this.loop = loop;
		this.executor = executor;
		this.afterClose = afterClose;
		this.nodes = IntStream.range(0, count)
			.mapToObj((i) -> new ScriptedNode(String.valueOf((char) ('a' + i)), ticker, loop))
			.toList();
	}

	/**
	 * Creates nodes with manual time, which {@link #time()} moves.
	 * @param count how many, from 1 to 26
	 * @return the nodes
	 */
	public static ScriptedNodes of(int count) {
		ManualTime time = new ManualTime();
		return new ScriptedNodes(count, time, time, Runnable::run, () -> {
		});
	}

	/**
	 * Creates nodes in real time.
	 * @param count how many, from 1 to 26
	 * @return the nodes
	 */
	public static ScriptedNodes inRealTime(int count) {
		LockNodes owner = LockNodes.of(List.of());
		return new ScriptedNodes(count, Ticker.SYSTEM, owner.loop(), ForkJoinPool.commonPool(), owner::close);
	}

	/**
	 * The manual time.
	 * @return the clock and timers of nodes and locks
	 * @throws IllegalStateException in real time
	 */
	public ManualTime time() {
		if (this.ticker instanceof ManualTime time) {
			return time;
		}
		throw new IllegalStateException(
				"These nodes run in real time, which a test cannot advance. For nodes whose time the test advances, "
						+ "use ScriptedNodes.of(count).");
	}

	/**
	 * The lock over the nodes, with default settings. All calls return the same lock.
	 * @return the lock
	 */
	public Redlock redlock() {
		return this.first.obtain();
	}

	/**
	 * One more lock over the nodes, as another process would have it, with default
	 * settings except for its label.
	 * @param owner the label that others see when it holds a lock
	 * @return the lock
	 */
	public Redlock anotherRedlock(String owner) {
		return anotherRedlock(RedlockSettings.builder().owner(owner).build());
	}

	/**
	 * One more lock over the nodes, as another process would have it.
	 * @param settings the settings of the new lock
	 * @return the lock
	 */
	public Redlock anotherRedlock(RedlockSettings settings) {
		Redlock lock = Redlock.over(this.nodes)
			.settings(settings)
			.ticker(this.ticker)
			.loop(this.loop)
			.callbacks(this.executor)
			.build();
		this.locks.add(lock);
		return lock;
	}

	/**
	 * A template over {@link #redlock()}.
	 * @return the template
	 */
	public RedLockTemplate template() {
		return new RedLockTemplate(redlock(), this.executor);
	}

	/**
	 * The node at a position.
	 * @param index the position, from 0
	 * @return the node
	 */
	public ScriptedNode get(int index) {
		return this.nodes.get(index);
	}

	/**
	 * The node with a name.
	 * @param name the name, from "a"
	 * @return the node
	 */
	public ScriptedNode get(String name) {
		return this.nodes.stream()
			.filter((node) -> node.name().equals(name))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("No node is named " + name + ", there are " + this));
	}

	/**
	 * All nodes in the order of their names.
	 * @return the nodes, unmodifiable
	 */
	public List<ScriptedNode> asList() {
		return this.nodes;
	}

	/**
	 * Makes all nodes work normally again.
	 */
	public void heal() {
		this.nodes.forEach(ScriptedNode::up);
	}

	/**
	 * Makes all nodes work normally again, and closes the locks and their threads.
	 */
	@Override
	public void close() {
		heal();
		this.locks.forEach(Redlock::close);
		this.afterClose.run();
	}

	/**
	 * The text has the names and the states of the nodes.
	 */
	@Override
	public String toString() {
		return this.nodes.stream().map(ScriptedNode::toString).collect(Collectors.joining(", "));
	}

}

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
 * Several independent simulated Redis servers in memory, named "a", "b", "c" and so on,
 * and real {@link Redlock}s over these servers.
 * <p>
 * With manual time, the test decides when a lease expires or a late answer comes, and all
 * work runs on the thread of the test. With manual time, the thread of the test must not
 * block: request locks asynchronously or without a time to wait, and advance
 * {@link #time()}. With servers that run in real time, the thread of the test may wait
 * for locks.
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
			throw new IllegalArgumentException(
					"The number of nodes must be from 1 to " + MOST_NODES + ", not " + count);
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
	 * Creates 1 to 26 simulated servers with manual time, which the test advances by
	 * {@link #time()}.
	 */
	public static ScriptedNodes of(int count) {
		ManualTime time = new ManualTime();
		return new ScriptedNodes(count, time, time, Runnable::run, () -> {
		});
	}

	/**
	 * Creates 1 to 26 simulated servers that run in real time.
	 */
	public static ScriptedNodes inRealTime(int count) {
		LockNodes owner = LockNodes.of(List.of());
		return new ScriptedNodes(count, Ticker.SYSTEM, owner.loop(), ForkJoinPool.commonPool(), owner::close);
	}

	/**
	 * Returns the manual time of servers and locks.
	 * @throws IllegalStateException if the servers run in real time
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
	 * Returns a {@link Redlock} over the servers with default settings, the same object
	 * at each call.
	 */
	public Redlock redlock() {
		return this.first.obtain();
	}

	/**
	 * Creates another {@link Redlock} over the servers, which acts as another process
	 * with the given label ({@code redlock.owner}).
	 */
	public Redlock anotherRedlock(String owner) {
		return anotherRedlock(RedlockSettings.builder().owner(owner).build());
	}

	/**
	 * Creates another {@link Redlock} over the servers, which acts as another process
	 * with the given settings.
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
	 * Returns a template that uses {@link #redlock()}.
	 */
	public RedLockTemplate template() {
		return new RedLockTemplate(redlock(), this.executor);
	}

	/**
	 * Returns the server at a position in the order of names, from 0.
	 */
	public ScriptedNode get(int index) {
		return this.nodes.get(index);
	}

	/**
	 * Returns the server with the given name, such as "a".
	 */
	public ScriptedNode get(String name) {
		return this.nodes.stream()
			.filter((node) -> node.name().equals(name))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("No node is named " + name + ". The nodes are " + this));
	}

	/**
	 * Returns all servers in the order of their names.
	 */
	public List<ScriptedNode> asList() {
		return this.nodes;
	}

	/**
	 * Makes all servers work normally again.
	 */
	public void heal() {
		this.nodes.forEach(ScriptedNode::up);
	}

	/**
	 * Makes all servers work normally again, and closes all {@link Redlock}s over the
	 * servers.
	 */
	@Override
	public void close() {
		heal();
		this.locks.forEach(Redlock::close);
		this.afterClose.run();
	}

	@Override
	public String toString() {
		return this.nodes.stream().map(ScriptedNode::toString).collect(Collectors.joining(", "));
	}

}

package dev.redlock.lettuce.internal.state;

import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

import dev.redlock.spi.NodeStatus;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Ticker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Holds the state of a node, which all threads may read. Logs its changes, but not each
 * further failure of an unavailable node, and reports each new {@link State} to the
 * listener.
 */
final class NodeStateHolder {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.node");

	private final String node;

	private final Ticker ticker;

	private final BiConsumer<NodeStatus, NodeStatus> listener;

	private final NodeState initial = NodeState.of(State.UNAVAILABLE, "The node has not been connected yet", null);

	private final NodeState end = NodeState.of(State.UNAVAILABLE, "The node was closed", null);

	private volatile NodeState current = this.initial;

	/**
	 * A server that accepts and breaks connections changes the node's state each second,
	 * and must not fill the log.
	 */
	private NodeState logged = this.initial;

	/**
	 * Any thread may close the node, and a closed node stops voting on locks at once.
	 */
	private volatile boolean closed;

	private final CompletableFuture<Void> firstVerdict = new CompletableFuture<>();

	NodeStateHolder(String node, Ticker ticker, BiConsumer<NodeStatus, NodeStatus> listener) {
		this.node = node;
		this.ticker = ticker;
		this.listener = listener;
	}

	NodeState now() {
		return this.closed ? this.end : this.current;
	}

	boolean isClosed() {
		return this.closed;
	}

	/**
	 * Completes after the node's first check or first failed attempt to connect.
	 */
	CompletableFuture<Void> firstVerdict() {
		return this.firstVerdict;
	}

	/**
	 * Sets the state of the node unless it was closed; only the event loop calls this
	 * method.
	 */
	void set(NodeState to) {
		if (this.closed) {
			return;
		}
		changed(this.current, to);
		if (to.state() != State.CHECKING) {
			this.firstVerdict.complete(null);
		}
	}

	/**
	 * Closing a node is neither logged nor reported to the listener.
	 */
	void close() {
		this.closed = true;
		this.firstVerdict.complete(null);
	}

	private void changed(NodeState from, NodeState to) {
		// The new state of a node is logged before other threads can read it.
		if (to.state() == State.CHECKING) {
			log(from, to);
		}
		else if (isWorthLogging(to)) {
			log(from, to);
			this.logged = to;
		}
		this.current = to;
		if (from.state() != to.state()) {
			long now = this.ticker.nanoTime();
			try {
				this.listener.accept(from.status(now), to.status(now));
			}
			catch (RuntimeException | Error ex) {
				// An exception of a listener must not change what the node does next.
				logger.warn("A listener of redlock node '{}' failed when the node became {}", this.node, to.state(),
						ex);
			}
		}
	}

	private boolean isWorthLogging(NodeState to) {
		// While a server is unreachable, each connection attempt may fail for another
		// reason, so only the first failure is logged.
		boolean explained = to.state() == State.UNFIT || to.state() == State.QUARANTINED || to.connection() != null;
		return this.logged == this.initial || this.logged.state() != to.state()
				|| (explained && !this.logged.reason().equals(to.reason()));
	}

	private void log(NodeState from, NodeState to) {
		Level level = switch (to.state()) {
			case CHECKING -> Level.DEBUG;
			case READY -> Level.INFO;
			default -> Level.WARN;
		};
		String what = switch (to.state()) {
			case CHECKING -> "is being checked: " + to.reason();
			case READY -> "is ready and votes";
			case UNAVAILABLE -> "is unavailable and does not vote until it is connected again: " + to.reason();
			case QUARANTINED -> "is in quarantine and does not vote: " + to.reason() + " (in "
					+ to.remaining(this.ticker.nanoTime()).toMillis() + " ms)";
			case UNFIT -> "is not fit for locks and does not vote until this cause is gone: " + to.reason();
		};
		logger.atLevel(level)
			.addKeyValue("redlock.node", this.node)
			.addKeyValue("redlock.from", from.state())
			.addKeyValue("redlock.state", to.state())
			.log("Redlock node '{}' {}", this.node, what);
	}

}

package dev.redlock.spring.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;

import dev.redlock.spi.EventLoop;
import dev.redlock.spi.Scheduler.Timeout;
import dev.redlock.spi.Ticker;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one node connected: connects, gives up a connection that was lost or is silent
 * for too long, and connects anew. Connecting blocks, and happens on a helper thread.
 * <p>
 * Lettuce's own reconnection is not used: it would carry commands over to the new
 * connection, and it waits for ever on a server that accepts bytes and never answers.
 */
final class ConnectionKeeper {

	private static final Logger logger = LoggerFactory.getLogger(ConnectionKeeper.class);

	private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

	/**
	 * Each try writes a line into the log of a server that does not accept the password,
	 * and some servers lock users out that try too often.
	 */
	private static final Duration PAUSE_WHILE_REFUSED = Duration.ofSeconds(5);

	/**
	 * Only connections that last for a while end the backing off.
	 */
	private static final Duration LASTING = Duration.ofMillis(500);

	private static final Timeout NO_TIMER = () -> {
	};

	private final String node;

	private final NodeConnector connector;

	private final NodeClocks clocks;

	private final EventLoop loop;

	private final Ticker ticker;

	private final Listener listener;

	private @Nullable NodeConnection connection;

	private Timeout timer = NO_TIMER;

	private Duration pause = SHORTEST_PAUSE;

	private long connectedNanos;

	private boolean closed;

	ConnectionKeeper(String node, NodeConnector connector, NodeClocks clocks, EventLoop loop, Ticker ticker,
			Listener listener) {
		this.node = node;
		this.connector = connector;
		this.clocks = clocks;
		this.loop = loop;
		this.ticker = ticker;
		this.listener = listener;
	}

	/**
	 * The current connection, if there is one.
	 */
	@Nullable NodeConnection connection() {
		return this.connection;
	}

	void connect() {
		if (this.closed) {
			return;
		}
		try {
			this.connector.executor().execute(() -> {
				try {
					NodeConnection made = this.connector.connect(this.clocks);
					post(() -> connected(made));
				}
				catch (RuntimeException | Error ex) {
					post(() -> unreachable(ex));
				}
			});
		}
		catch (RejectedExecutionException ex) {
			// Full for now: a node that is closed does not get here.
			logger.debug("Redlock node '{}' is connected later, since its threads are busy", this.node);
			connectLater();
		}
		catch (Error ex) {
			// No thread could be made now. There may be one later.
			logger.warn("Redlock node '{}' cannot be connected and is tried again", this.node, ex);
			connectLater();
		}
	}

	/**
	 * Gives up a connection, if it is still the current one.
	 */
	void giveUp(NodeConnection lost, String why) {
		if (this.connection == lost) {
			if (this.ticker.nanoTime() - this.connectedNanos >= LASTING.toNanos()) {
				this.pause = SHORTEST_PAUSE;
			}
			this.connection = null;
			// The listener first: when the loss of a command is told, the node is
			// unavailable already.
			this.listener.lost(why);
			lost.close();
			connectLater();
		}
	}

	/**
	 * Gives up the current connection: a server, or a sentinel, does not accept the user
	 * name or the password.
	 */
	void refusedCredentials(String why, boolean bySentinel) {
		NodeConnection open = this.connection;
		this.connection = null;
		this.listener.unfit(why + ". " + this.connector.remedy(this.node, bySentinel));
		if (open != null) {
			open.close();
		}
		this.timer = this.loop.schedule(PAUSE_WHILE_REFUSED, this::connect);
	}

	/**
	 * Closes the connection and makes no other.
	 * @return completes when it is closed
	 */
	CompletableFuture<Void> close() {
		this.closed = true;
		this.timer.cancel();
		NodeConnection open = this.connection;
		this.connection = null;
		return (open != null) ? open.close() : CompletableFuture.completedFuture(null);
	}

	private void connected(NodeConnection made) {
		if (this.closed) {
			made.close();
			return;
		}
		this.connection = made;
		this.connectedNanos = this.ticker.nanoTime();
		this.listener.connected(made);
	}

	private void unreachable(Throwable failure) {
		if (this.closed) {
			return;
		}
		logger.debug("Redlock node '{}' could not be reached", this.node, failure);
		String credentials = ConnectionErrors.credentials(failure);
		if (credentials != null) {
			refusedCredentials(credentials, ConnectionErrors.isAboutSentinel(failure));
			return;
		}
		this.listener.lost(ConnectionErrors.whyNotConnected(failure));
		connectLater();
	}

	private void connectLater() {
		long nanos = this.pause.toNanos();
		Duration doubled = this.pause.multipliedBy(2);
		this.pause = (doubled.compareTo(LONGEST_PAUSE) > 0) ? LONGEST_PAUSE : doubled;
		Duration delay = Duration.ofNanos(nanos / 2 + ThreadLocalRandom.current().nextLong(nanos / 2));
		this.timer = this.loop.schedule(delay, this::connect);
	}

	/**
	 * After the end of the loop nothing is left that it would protect.
	 */
	private void post(Runnable event) {
		try {
			this.loop.run(event);
		}
		catch (RejectedExecutionException ex) {
			event.run();
		}
	}

	/**
	 * Is told what becomes of the connections, one event after the other.
	 */
	interface Listener {

		void connected(NodeConnection connection);

		/**
		 * There is no connection, whether there was one or not.
		 */
		void lost(String why);

		/**
		 * There is no connection, and will not be until a person does something.
		 */
		void unfit(String why);

	}

}

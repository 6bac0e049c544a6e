package dev.redlock.lettuce.internal.check;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

import dev.redlock.lettuce.internal.clock.NodeContext;
import dev.redlock.lettuce.internal.connection.HelperThreads;
import dev.redlock.lettuce.internal.connection.NodeConnection;
import dev.redlock.lettuce.internal.facts.ConnectionErrors;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Scheduler.Timeout;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one node connected to Redis. Lettuce's own reconnection would send old commands
 * over the new connection, and would wait forever for a server that accepts bytes and
 * never answers.
 */
public final class ConnectionKeeper {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.node");

	private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

	/**
	 * After a rejected password, this client connects rarely, because some servers lock
	 * out users after too many tries.
	 */
	static final Duration PAUSE_WHILE_REFUSED = Duration.ofSeconds(5);

	/**
	 * A connection that lasted this long resets the retry backoff.
	 */
	private static final Duration STABLE_AFTER = Duration.ofMillis(500);

	private final NodeConnector connector;

	private final ServerCheck check;

	private final NodeContext context;

	private final Listener listener;

	private @Nullable NodeConnection connection;

	private Timeout timer = Timeout.NONE;

	private Duration pause = SHORTEST_PAUSE;

	private long connectedNanos;

	private boolean closed;

	public ConnectionKeeper(NodeConnector connector, ServerCheck check, NodeContext context, Listener listener) {
		this.connector = connector;
		this.check = check;
		this.context = context;
		this.listener = listener;
	}

	public void connect() {
		if (this.closed) {
			return;
		}
		HelperThreads.call(this.connector.executor(), this.context.loop(), () -> this.connector.connect(this.check))
			.whenComplete((made, failure) -> {
				if (failure == null) {
					connected(made);
				}
				else {
					unreachable(failure);
				}
			});
	}

	/**
	 * Closes the connection and connects again.
	 */
	public void reconnect(String why) {
		if (this.context.ticker().nanoTime() - this.connectedNanos >= STABLE_AFTER.toNanos()) {
			this.pause = SHORTEST_PAUSE;
		}
		disconnect(State.UNAVAILABLE, why);
		connectLater();
	}

	public void refusedCredentials(String why, boolean bySentinel) {
		disconnect(State.UNFIT, why + ". " + this.connector.remedy(bySentinel));
		this.timer = this.context.loop().schedule(PAUSE_WHILE_REFUSED, this::connect);
	}

	/**
	 * Closes the connection to an unusable server and connects again at once, because the
	 * host name may lead to another server by now.
	 */
	public void reconnectAtOnce(String why) {
		disconnect(State.UNFIT, why);
		connect();
	}

	private void disconnect(State state, String why) {
		NodeConnection open = this.connection;
		this.connection = null;
		// The node leaves its ready state before its connection closes, because closing
		// fails all unanswered commands.
		this.listener.disconnected(state, why);
		if (open != null) {
			open.close();
		}
	}

	public CompletableFuture<Void> close() {
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
		this.connectedNanos = this.context.ticker().nanoTime();
		this.listener.connected(made);
	}

	private void unreachable(Throwable failure) {
		if (this.closed) {
			return;
		}
		logger.debug("The server of redlock node '{}' could not be reached", this.context.node(), failure);
		String credentials = ConnectionErrors.credentials(failure);
		if (credentials != null) {
			refusedCredentials(credentials, ConnectionErrors.isAboutSentinel(failure));
			return;
		}
		this.listener.disconnected(State.UNAVAILABLE, ConnectionErrors.whyNotConnected(failure));
		connectLater();
	}

	private void connectLater() {
		long nanos = this.pause.toNanos();
		Duration doubled = this.pause.multipliedBy(2);
		this.pause = (doubled.compareTo(LONGEST_PAUSE) > 0) ? LONGEST_PAUSE : doubled;
		Duration delay = Duration.ofNanos(nanos / 2 + ThreadLocalRandom.current().nextLong(nanos / 2));
		this.timer = this.context.loop().schedule(delay, this::connect);
	}

	public interface Listener {

		void connected(NodeConnection connection);

		/**
		 * Called when a connection was lost or could not be established.
		 * @param state UNFIT if an operator must act before the node may vote, otherwise
		 * UNAVAILABLE
		 */
		void disconnected(State state, String why);

	}

}

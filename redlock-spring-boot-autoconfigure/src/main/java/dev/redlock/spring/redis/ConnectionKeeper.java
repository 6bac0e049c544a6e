package dev.redlock.spring.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import dev.redlock.spi.Scheduler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one node connected: connects, gives up a connection that was lost or is silent
 * for too long, and connects anew.
 * <p>
 * Lettuce's own reconnection is not used: it would carry commands over to the new
 * connection, and it waits for ever on a server that accepts bytes and never answers.
 */
final class ConnectionKeeper {

	private static final Logger log = LoggerFactory.getLogger(ConnectionKeeper.class);

	private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

	private static final Duration LONGEST_CLOSE = Duration.ofSeconds(1);

	/**
	 * Only connections that last for a while end the backing off.
	 */
	private static final Duration LASTING = Duration.ofMillis(500);

	private final String node;

	private final Supplier<Links> connector;

	private final Scheduler scheduler;

	private final Executor executor;

	private final Listener listener;

	private final AtomicReference<@Nullable Links> current = new AtomicReference<>();

	private volatile boolean closed;

	private volatile Duration pause = SHORTEST_PAUSE;

	ConnectionKeeper(String node, Supplier<Links> connector, Scheduler scheduler, Executor executor,
			Listener listener) {
		this.node = node;
		this.connector = connector;
		this.scheduler = scheduler;
		this.executor = executor;
		this.listener = listener;
	}

	void start() {
		connectSoon();
	}

	/**
	 * Gives up the given connections, if they are still the current ones.
	 */
	void giveUp(Links links, String why) {
		if (this.current.compareAndSet(links, null)) {
			// The listener first: nothing may be sent into a connection that was given
			// up,
			// and whoever is told of its loss must find the node unavailable.
			this.listener.lost(why);
			links.close();
			connectLater();
		}
	}

	void close() {
		this.closed = true;
		Links links = this.current.getAndSet(null);
		if (links != null) {
			awaitClosed(links);
		}
	}

	private void awaitClosed(Links links) {
		try {
			links.close().get(LONGEST_CLOSE.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException ex) {
			log.debug("Redlock node '{}' could not close its connection", this.node, ex);
		}
	}

	private void connectLater() {
		Duration longest = this.pause;
		Duration doubled = longest.multipliedBy(2);
		this.pause = (doubled.compareTo(LONGEST_PAUSE) > 0) ? LONGEST_PAUSE : doubled;
		long nanos = longest.toNanos();
		Duration delay = Duration.ofNanos(nanos / 2 + ThreadLocalRandom.current().nextLong(nanos / 2));
		this.scheduler.schedule(delay, this::connectSoon);
	}

	private void connectSoon() {
		if (this.closed) {
			return;
		}
		try {
			this.executor.execute(this::connect);
		}
		catch (RejectedExecutionException ex) {
			log.debug("Redlock node '{}' is not connected, since its threads are gone", this.node);
		}
		catch (Error ex) {
			// No thread could be made now. There may be one later.
			log.warn("Redlock node '{}' cannot be connected and is tried again", this.node, ex);
			connectLater();
		}
	}

	private void connect() {
		Links links;
		try {
			links = this.connector.get();
		}
		catch (RuntimeException | Error ex) {
			if (this.closed) {
				return;
			}
			log.debug("Redlock node '{}' could not be reached", this.node, ex);
			unreachable(ex);
			return;
		}
		this.current.set(links);
		if (this.closed) {
			close();
			return;
		}
		// First of all, so that nothing can be told of these connections before they were
		// announced.
		this.listener.opened(links);
		links.servers().forEach((server) -> server.onLost((why) -> giveUp(links, why)));
		this.scheduler.schedule(LASTING, () -> {
			if (this.current.get() == links) {
				this.pause = SHORTEST_PAUSE;
			}
		});
	}

	private void unreachable(Throwable failure) {
		String credentials = ConnectErrors.credentials(failure);
		if (credentials == null) {
			this.listener.unreachable(ConnectErrors.describe(failure));
			connectLater();
			return;
		}
		this.listener.refusedCredentials(credentials, ConnectErrors.isAboutSentinel(failure));
		// Each try writes a line into the log of the server, and some of them lock users
		// out who try too often.
		this.scheduler.schedule(NodeSupervisor.PAUSE_WHILE_UNFIT, this::connectSoon);
	}

	/**
	 * Is told what becomes of the connections, one event after the other.
	 */
	interface Listener {

		void opened(Links links);

		void lost(String why);

		void unreachable(String why);

		/**
		 * A server, or a sentinel, does not accept the user name or the password.
		 */
		void refusedCredentials(String why, boolean bySentinel);

	}

}

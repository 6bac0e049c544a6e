package dev.redlock.lettuce;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.redlock.lettuce.ConnectionHealth.Sent;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.ReleaseListener;
import dev.redlock.spi.Ticker;
import dev.redlock.spi.Watch;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for announcements of releases on one node. Connects when a key is first
 * watched, and stays subscribed to a key while it is watched.
 */
final class ReleaseSubscriptions {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.node");

	private static final Duration PAUSE = Duration.ofSeconds(1);

	/**
	 * The message of a release: its name and the number of listeners. Without a key
	 * prefix, the application may send its own messages on the channel.
	 */
	private static final Pattern ANNOUNCEMENT = Pattern.compile("(.+):(\\d{1,9})");

	private final String node;

	private final SubscriptionConnection.Connector connector;

	private final EventLoop loop;

	private final Ticker ticker;

	private final Duration overdue;

	private final Executor executor;

	private final Map<String, Set<KeyWatch>> watches = new HashMap<>();

	/** The keys whose releases are received now. Other threads may read this. */
	private final Set<String> confirmed = ConcurrentHashMap.newKeySet();

	private @Nullable SubscriptionConnection connection;

	/** Notices that the connection does not answer. */
	private @Nullable ConnectionHealth health;

	/** The listener of the current connection, or of the one being made. */
	private @Nullable LoopListener listener;

	/** Whether a connection is being made, or could not be made a moment ago. */
	private boolean connecting;

	private boolean up;

	private boolean warned;

	ReleaseSubscriptions(NodeContext context, SubscriptionConnection.Connector connector, Executor executor) {
		this.node = context.node();
		this.connector = connector;
		this.loop = context.loop();
		this.ticker = context.ticker();
		this.overdue = context.settings().overdue();
		this.executor = executor;
	}

	/**
	 * Follows the connection of the node: subscribes while the node is connected.
	 */
	void nodeConnected(boolean connected) {
		this.up = connected;
		if (!connected) {
			disconnect();
		}
		connectIfWanted();
	}

	Watch watch(String key, ReleaseListener releases) {
		KeyWatch watch = new KeyWatch(key, releases);
		this.loop.run(() -> add(watch));
		return watch;
	}

	private void add(KeyWatch watch) {
		Set<KeyWatch> others = this.watches.computeIfAbsent(watch.key, (absent) -> new HashSet<>());
		others.add(watch);
		if (others.size() == 1 && this.connection != null) {
			subscribe(this.connection, watch.key);
		}
		if (this.confirmed.contains(watch.key)) {
			watch.releases.listening();
		}
		connectIfWanted();
	}

	private void remove(KeyWatch watch) {
		Set<KeyWatch> others = this.watches.get(watch.key);
		if (others != null && others.remove(watch) && others.isEmpty()) {
			this.watches.remove(watch.key);
			this.confirmed.remove(watch.key);
			if (this.connection != null) {
				expect(this.connection.unsubscribe(watch.key));
			}
		}
	}

	private void connectIfWanted() {
		if (this.watches.isEmpty() || !this.up || this.connecting || this.connection != null) {
			return;
		}
		LoopListener events = new LoopListener();
		this.connecting = true;
		this.listener = events;
		HelperThreads.call(this.executor, this.loop, () -> this.connector.apply(events))
			.whenComplete((made, failure) -> {
				if (failure == null) {
					connected(made, events);
				}
				else {
					notConnected(failure);
				}
			});
	}

	private void connected(SubscriptionConnection made, LoopListener events) {
		this.connecting = false;
		if (!this.up || this.listener != events) {
			made.close();
			connectLater();
			return;
		}
		this.connection = made;
		this.health = new ConnectionHealth(this.loop, this.ticker, this.overdue, (why) -> silent(made, why));
		this.watches.keySet().forEach((key) -> subscribe(made, key));
	}

	private void notConnected(Throwable failure) {
		logger.debug("Cannot subscribe on redlock node '{}' now", this.node, failure);
		boolean credentials = ConnectionErrors.credentials(failure) != null;
		this.loop.schedule(credentials ? ConnectionKeeper.PAUSE_WHILE_REFUSED : PAUSE, () -> {
			this.connecting = false;
			connectIfWanted();
		});
	}

	private void connectLater() {
		this.loop.schedule(PAUSE, this::connectIfWanted);
	}

	/**
	 * Replaces a connection that does not answer. The system would notice it only after
	 * minutes, because it does not probe a connection on which it is still resending
	 * data.
	 */
	private void silent(SubscriptionConnection dead, String why) {
		if (this.connection == dead) {
			logger.debug("Subscribing on redlock node '{}' anew: {}", this.node, why);
			disconnect();
			connectLater();
		}
	}

	/**
	 * Expects the answer to a command that is sent now over the current connection.
	 */
	private CompletionStage<Void> expect(CompletionStage<Void> command) {
		ConnectionHealth current = this.health;
		if (current != null) {
			Sent sent = current.sent(null);
			// Removes only this command, because the members of a cluster answer
			// independently.
			command.whenComplete((done, failure) -> this.loop.run(() -> current.withdrawn(sent)));
		}
		return command;
	}

	/**
	 * Subscribes to a key. If the user may not, the waiting requests poll instead. They
	 * also poll while the server is busy. A connection may be lost before it has a
	 * listener.
	 */
	private void subscribe(SubscriptionConnection to, String key) {
		expect(to.subscribe(key)).whenComplete((done, failure) -> {
			if (failure != null) {
				logger.debug("Cannot subscribe on redlock node '{}' to releases of {}: {}", this.node, key,
						ConnectionErrors.describe(failure));
			}
			boolean answered = failure instanceof RedisCommandExecutionException;
			if (answered && !this.warned) {
				this.warned = true;
				logger.warn(
						"Redlock node '{}' does not announce releases to this client. {}. Locks stay safe, but "
								+ "waiting requests poll",
						this.node, ServerErrors.fault(ConnectionErrors.describe(failure)).detail());
			}
			if (answered ? ServerErrors.isBusy(String.valueOf(failure.getMessage()))
					: failure instanceof RedisException) {
				this.loop.schedule(PAUSE, () -> subscribeAgain(to, key, answered));
			}
		});
	}

	private void subscribeAgain(SubscriptionConnection to, String key, boolean answered) {
		if (this.connection != to) {
			return;
		}
		if (!answered && this.confirmed.isEmpty()) {
			disconnect();
			connectIfWanted();
		}
		else if (this.watches.containsKey(key) && !this.confirmed.contains(key)) {
			subscribe(to, key);
		}
	}

	private void disconnect() {
		SubscriptionConnection old = this.connection;
		if (this.health != null) {
			this.health.stop();
		}
		this.health = null;
		this.connection = null;
		this.listener = null;
		this.confirmed.clear();
		if (old != null) {
			old.close();
		}
	}

	private List<KeyWatch> watching(String key) {
		return List.copyOf(this.watches.getOrDefault(key, Set.of()));
	}

	/**
	 * Posts the events of one connection to the loop, as long as the connection is used.
	 */
	private final class LoopListener implements SubscriptionConnection.Listener {

		@Override
		public void subscribed(String key, long count) {
			onLoop(() -> {
				ReleaseSubscriptions.this.confirmed.add(key);
				watching(key).forEach((watch) -> watch.releases.listening());
			});
		}

		@Override
		public void unsubscribed(String key, long count) {
			onLoop(() -> {
				ReleaseSubscriptions.this.confirmed.remove(key);
				SubscriptionConnection current = ReleaseSubscriptions.this.connection;
				// The server may end a subscription by itself.
				if (current != null && ReleaseSubscriptions.this.watches.containsKey(key)) {
					subscribe(current, key);
				}
			});
		}

		@Override
		public void message(String key, String message) {
			Matcher announcement = ANNOUNCEMENT.matcher(message);
			if (announcement.matches()) {
				String release = announcement.group(1);
				int listeners = Integer.parseInt(announcement.group(2));
				onLoop(() -> watching(key).forEach((watch) -> watch.releases.released(release, listeners)));
			}
		}

		@Override
		public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
			onLoop(() -> {
				disconnect();
				connectLater();
			});
		}

		private void onLoop(Runnable event) {
			ReleaseSubscriptions.this.loop.run(() -> {
				if (ReleaseSubscriptions.this.listener == this) {
					event.run();
				}
			});
		}

	}

	private final class KeyWatch implements Watch {

		private final String key;

		private final ReleaseListener releases;

		private KeyWatch(String key, ReleaseListener releases) {
			this.key = key;
			this.releases = releases;
		}

		@Override
		public boolean isListening() {
			return ReleaseSubscriptions.this.confirmed.contains(this.key);
		}

		@Override
		public void close() {
			ReleaseSubscriptions.this.loop.run(() -> remove(this));
		}

	}

}

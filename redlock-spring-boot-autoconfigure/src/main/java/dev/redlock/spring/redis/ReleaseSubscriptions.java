package dev.redlock.spring.redis;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

import dev.redlock.spi.EventLoop;
import dev.redlock.spi.ReleaseListener;
import dev.redlock.spi.Watch;
import io.lettuce.core.AbstractRedisClient;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for releases on one node, over connections of its own, which are made when a
 * key is first watched. A subscription lasts as long as its key is watched.
 */
final class ReleaseSubscriptions {

	private static final Logger logger = LoggerFactory.getLogger(ReleaseSubscriptions.class);

	private static final Duration PAUSE = Duration.ofSeconds(1);

	private final String node;

	private final AbstractRedisClient client;

	private final EventLoop loop;

	private final Executor executor;

	private final Map<String, Set<KeyWatch>> watches = new HashMap<>();

	private final Set<String> confirmed = new HashSet<>();

	private @Nullable SubscriptionConnection connection;

	/** Is told what comes over the connections that are used or being made. */
	private @Nullable LoopListener listener;

	private boolean connecting;

	private boolean up;

	ReleaseSubscriptions(String node, AbstractRedisClient client, EventLoop loop, Executor executor) {
		this.node = node;
		this.client = client;
		this.loop = loop;
		this.executor = executor;
	}

	/**
	 * The node can be reached from now on, or no longer.
	 */
	void nodeIsUp(boolean reachable) {
		this.up = reachable;
		if (!reachable) {
			disconnect();
		}
		connectIfWanted();
	}

	Watch watch(String key, ReleaseListener releases) {
		KeyWatch watch = new KeyWatch(key, releases);
		post(() -> add(watch));
		return watch;
	}

	private void add(KeyWatch watch) {
		Set<KeyWatch> others = this.watches.computeIfAbsent(watch.key, (absent) -> new HashSet<>());
		others.add(watch);
		if (others.size() == 1 && this.connection != null) {
			subscribe(this.connection, watch.key);
		}
		if (this.confirmed.contains(watch.key)) {
			watch.begin();
		}
		connectIfWanted();
	}

	private void remove(KeyWatch watch) {
		watch.listening = false;
		Set<KeyWatch> others = this.watches.get(watch.key);
		if (others != null && others.remove(watch) && others.isEmpty()) {
			this.watches.remove(watch.key);
			this.confirmed.remove(watch.key);
			if (this.connection != null) {
				this.connection.unsubscribe(watch.key);
			}
		}
	}

	private void connectIfWanted() {
		if (!this.up || this.connecting || this.connection != null || this.watches.isEmpty()) {
			return;
		}
		LoopListener heard = new LoopListener();
		this.connecting = true;
		this.listener = heard;
		try {
			this.executor.execute(() -> {
				try {
					SubscriptionConnection made = SubscriptionConnection.connect(this.client, heard);
					post(() -> connected(made, heard));
				}
				catch (RuntimeException | Error ex) {
					post(() -> notConnected(ex));
				}
			});
		}
		catch (RejectedExecutionException ex) {
			logger.debug("Redlock node '{}' is not listened to, since its threads are gone", this.node);
		}
		catch (Error ex) {
			logger.warn("Redlock node '{}' cannot be listened to and is tried again", this.node, ex);
			this.connecting = false;
			connectLater();
		}
	}

	private void connected(SubscriptionConnection made, LoopListener heard) {
		this.connecting = false;
		if (!this.up || this.listener != heard) {
			made.close();
			connectLater();
			return;
		}
		this.connection = made;
		this.watches.keySet().forEach((key) -> subscribe(made, key));
	}

	private void notConnected(Throwable failure) {
		logger.debug("Redlock node '{}' cannot be listened to", this.node, failure);
		this.connecting = false;
		connectLater();
	}

	private void connectLater() {
		this.loop.schedule(PAUSE, this::connectIfWanted);
	}

	/**
	 * Where this is not allowed, the lock is asked for again and again instead.
	 */
	private void subscribe(SubscriptionConnection to, String key) {
		to.subscribe(key).whenComplete((done, failure) -> {
			if (failure != null) {
				logger.debug("Redlock node '{}' does not tell of the releases of {}: {}", this.node, key,
						ConnectionErrors.describe(failure));
			}
		});
	}

	private void disconnect() {
		SubscriptionConnection old = this.connection;
		this.connection = null;
		this.listener = null;
		this.confirmed.clear();
		this.watches.values().forEach((all) -> all.forEach((watch) -> watch.listening = false));
		if (old != null) {
			old.close();
		}
	}

	private List<KeyWatch> watching(String key) {
		return List.copyOf(this.watches.getOrDefault(key, Set.of()));
	}

	private void post(Runnable event) {
		try {
			this.loop.run(event);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("Redlock node '{}' is not listened to any more", this.node);
		}
	}

	/**
	 * Posts to the loop what comes over one set of connections, as long as it is used.
	 */
	private final class LoopListener implements SubscriptionConnection.Listener {

		@Override
		public void subscribed(String key) {
			onLoop(() -> {
				ReleaseSubscriptions.this.confirmed.add(key);
				watching(key).forEach(KeyWatch::begin);
			});
		}

		@Override
		public void unsubscribed(String key) {
			onLoop(() -> {
				ReleaseSubscriptions.this.confirmed.remove(key);
				watching(key).forEach((watch) -> watch.listening = false);
				SubscriptionConnection current = ReleaseSubscriptions.this.connection;
				// It was watched again while the last watch ended.
				if (current != null && ReleaseSubscriptions.this.watches.containsKey(key)) {
					subscribe(current, key);
				}
			});
		}

		@Override
		public void message(String key, String message) {
			int colon = message.lastIndexOf(':');
			if (colon >= 0) {
				int listeners = Integer.parseInt(message, colon + 1, message.length(), 10);
				String release = message.substring(0, colon);
				onLoop(() -> watching(key).forEach((watch) -> watch.releases.released(release, listeners)));
			}
		}

		@Override
		public void lost() {
			onLoop(() -> {
				disconnect();
				connectLater();
			});
		}

		private void onLoop(Runnable event) {
			post(() -> {
				if (ReleaseSubscriptions.this.listener == this) {
					event.run();
				}
			});
		}

	}

	private final class KeyWatch implements Watch {

		private final String key;

		private final ReleaseListener releases;

		/** Other threads may ask. */
		private volatile boolean listening;

		private KeyWatch(String key, ReleaseListener releases) {
			this.key = key;
			this.releases = releases;
		}

		@Override
		public boolean isListening() {
			return this.listening;
		}

		@Override
		public void close() {
			post(() -> remove(this));
		}

		private void begin() {
			this.listening = true;
			this.releases.listening();
		}

	}

}

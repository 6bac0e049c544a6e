package dev.redlock.lettuce;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.redlock.lettuce.internal.clock.NodeContext;
import dev.redlock.lettuce.internal.connection.NodeConnection;
import dev.redlock.lettuce.internal.facts.ConnectionErrors;
import dev.redlock.lettuce.internal.facts.ServerErrors;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.ReleaseListener;
import dev.redlock.spi.Watch;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives announcements of releases from one node. The connection that carries the
 * commands is subscribed to the channel of a lock key while requests wait for a lock that
 * was refused, and for a short time afterwards.
 */
final class ReleaseSubscriptions {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.node");

	private static final Duration PAUSE = Duration.ofSeconds(1);

	/**
	 * An announcement is the first eight characters of the released token, a colon and
	 * the number of subscribers. Messages that do not end like this are ignored, because
	 * the application may publish on the same channel.
	 */
	private static final Pattern ANNOUNCEMENT = Pattern.compile("(.+):(\\d{1,9})");

	private final String node;

	private final EventLoop loop;

	private final Map<String, Set<KeyWatch>> watches = new HashMap<>();

	/**
	 * The lock keys to whose channels the connection is subscribed now.
	 */
	private final Set<String> confirmed = ConcurrentHashMap.newKeySet();

	private @Nullable NodeConnection connection;

	private boolean warned;

	/**
	 * Whether subscriptions would end each connection to this server.
	 */
	private boolean impossible;

	ReleaseSubscriptions(NodeContext context) {
		this.node = context.node();
		this.loop = context.loop();
	}

	void nodeConnected(@Nullable NodeConnection current) {
		NodeConnection usable = this.impossible ? null : current;
		if (this.connection == usable) {
			return;
		}
		this.connection = usable;
		this.confirmed.clear();
		if (usable != null) {
			usable.listen((key, message) -> received(usable, key, message));
			this.watches.keySet().forEach((key) -> subscribe(usable, key));
		}
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
	}

	private void remove(KeyWatch watch) {
		Set<KeyWatch> others = this.watches.get(watch.key);
		if (others != null && others.remove(watch) && others.isEmpty()) {
			this.watches.remove(watch.key);
			this.confirmed.remove(watch.key);
			if (this.connection != null) {
				this.connection.unsubscribe(watch.key);
			}
		}
	}

	/**
	 * While the server refuses the subscription or is busy, the waiting requests poll the
	 * lock key instead.
	 */
	private void subscribe(NodeConnection to, String key) {
		to.subscribe(key).whenComplete((done, failure) -> {
			if (failure instanceof IllegalStateException) {
				this.impossible = true;
				warn(failure);
			}
			if (this.connection != to || !this.watches.containsKey(key)) {
				return;
			}
			if (failure == null) {
				this.confirmed.add(key);
				watching(key).forEach((watch) -> watch.releases.listening());
			}
			else if (mayPass(failure)) {
				this.loop.schedule(PAUSE, () -> subscribeAgain(to, key));
			}
			else {
				warn(failure);
			}
		});
	}

	private void subscribeAgain(NodeConnection to, String key) {
		if (this.connection == to && this.watches.containsKey(key) && !this.confirmed.contains(key)) {
			subscribe(to, key);
		}
	}

	private static boolean mayPass(Throwable failure) {
		return (failure instanceof RedisCommandExecutionException)
				? ServerErrors.isBusy(String.valueOf(failure.getMessage())) : failure instanceof RedisException;
	}

	private void warn(Throwable failure) {
		if (!this.warned) {
			this.warned = true;
			String why = ConnectionErrors.describe(failure);
			logger.warn(
					"Redlock node '{}' does not announce releases to this client. {}. Locks stay safe, but "
							+ "requests that wait for a lock poll Redis",
					this.node, (failure instanceof RedisException) ? ServerErrors.fault(why).detail() : why);
		}
	}

	private void received(NodeConnection from, String key, @Nullable String message) {
		if (message == null) {
			this.confirmed.remove(key);
			// A server of a cluster may end a subscription without a request.
			if (this.watches.containsKey(key)) {
				subscribe(from, key);
			}
			return;
		}
		Matcher announcement = ANNOUNCEMENT.matcher(message);
		if (announcement.matches()) {
			int listeners = Integer.parseInt(announcement.group(2));
			watching(key).forEach((watch) -> watch.releases.released(announcement.group(1), listeners));
		}
	}

	private List<KeyWatch> watching(String key) {
		return List.copyOf(this.watches.getOrDefault(key, Set.of()));
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

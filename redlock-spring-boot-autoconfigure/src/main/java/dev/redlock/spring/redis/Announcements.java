package dev.redlock.spring.redis;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.redlock.spi.ReleaseListener;
import dev.redlock.spi.Scheduler;
import dev.redlock.spi.Watch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for releases on one node, over connections of its own, which are made when
 * somebody first wants to listen. A subscription lasts as long as somebody listens.
 */
final class Announcements {

	private static final Logger log = LoggerFactory.getLogger(Announcements.class);

	private static final Duration PAUSE = Duration.ofSeconds(1);

	private final String node;

	private final Function<Subscriptions.Listener, Subscriptions> connector;

	private final Scheduler scheduler;

	private final Executor executor;

	private final ReentrantLock lock = new ReentrantLock();

	private final Map<String, Set<KeyWatch>> watches = new HashMap<>();

	private final Set<String> confirmed = new HashSet<>();

	private @Nullable Subscriptions subscriptions;

	private boolean connecting;

	private boolean up;

	Announcements(String node, Function<Subscriptions.Listener, Subscriptions> connector, Scheduler scheduler,
			Executor executor) {
		this.node = node;
		this.connector = connector;
		this.scheduler = scheduler;
		this.executor = executor;
	}

	/**
	 * The node can be reached from now on, or no longer.
	 */
	void nodeIsUp(boolean reachable) {
		Subscriptions useless = locked(() -> {
			this.up = reachable;
			return reachable ? null : forget();
		});
		if (useless != null) {
			useless.close();
		}
		connectIfWanted();
	}

	Watch watch(String key, ReleaseListener listener) {
		KeyWatch watch = new KeyWatch(key, listener);
		boolean heard = locked(() -> {
			Set<KeyWatch> others = this.watches.computeIfAbsent(key, (absent) -> new HashSet<>());
			others.add(watch);
			if (others.size() == 1 && this.subscriptions != null) {
				subscribe(this.subscriptions, key);
			}
			return this.confirmed.contains(key);
		});
		if (heard) {
			listener.listening();
		}
		connectIfWanted();
		return watch;
	}

	private void connectIfWanted() {
		boolean wanted = locked(() -> {
			if (!this.up || this.connecting || this.subscriptions != null || this.watches.isEmpty()) {
				return false;
			}
			this.connecting = true;
			return true;
		});
		if (wanted) {
			try {
				this.executor.execute(this::connect);
			}
			catch (RejectedExecutionException ex) {
				log.debug("Redlock node '{}' is not listened to, since its threads are gone", this.node);
			}
			catch (Error ex) {
				log.warn("Redlock node '{}' cannot be listened to and is tried again", this.node, ex);
				locked(() -> this.connecting = false);
				connectLater();
			}
		}
	}

	private void connect() {
		Hearing hearing = new Hearing();
		try {
			Subscriptions made = this.connector.apply(hearing);
			hearing.of = made;
			boolean useless = locked(() -> {
				this.connecting = false;
				if (!this.up || hearing.over) {
					return true;
				}
				this.subscriptions = made;
				this.watches.keySet().forEach((key) -> subscribe(made, key));
				return false;
			});
			if (useless) {
				made.close();
				connectLater();
			}
		}
		catch (RuntimeException | Error ex) {
			log.debug("Redlock node '{}' cannot be listened to", this.node, ex);
			locked(() -> this.connecting = false);
			connectLater();
		}
	}

	private void connectLater() {
		this.scheduler.schedule(PAUSE, this::connectIfWanted);
	}

	/**
	 * Who may not subscribe asks for the lock again and again instead.
	 */
	private void subscribe(Subscriptions to, String key) {
		to.subscribe(key).whenComplete((done, failure) -> {
			if (failure != null) {
				log.debug("Redlock node '{}' does not tell of the releases of {}: {}", this.node, key,
						LinkErrors.describe(failure));
			}
		});
	}

	private @Nullable Subscriptions forget() {
		Subscriptions old = this.subscriptions;
		this.subscriptions = null;
		this.confirmed.clear();
		return old;
	}

	private List<KeyWatch> listeners(String key) {
		return List.copyOf(this.watches.getOrDefault(key, Set.of()));
	}

	private <T extends @Nullable Object> T locked(Supplier<T> work) {
		this.lock.lock();
		try {
			return work.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * What comes over one set of connections.
	 */
	private final class Hearing implements Subscriptions.Listener {

		private volatile boolean over;

		private volatile @Nullable Subscriptions of;

		@Override
		public void subscribed(String key) {
			List<KeyWatch> told = locked(() -> {
				if (!this.over) {
					Announcements.this.confirmed.add(key);
				}
				return listeners(key);
			});
			told.forEach((watch) -> watch.listener.listening());
		}

		@Override
		public void unsubscribed(String key) {
			locked(() -> {
				Announcements.this.confirmed.remove(key);
				Subscriptions current = this.of;
				// Somebody came while the last one left.
				if (current != null && !this.over && Announcements.this.watches.containsKey(key)) {
					subscribe(current, key);
				}
				return this.over;
			});
		}

		@Override
		public void message(String key, String message) {
			int colon = message.lastIndexOf(':');
			if (colon < 0) {
				return;
			}
			int listeners = Integer.parseInt(message, colon + 1, message.length(), 10);
			String release = message.substring(0, colon);
			locked(() -> listeners(key)).forEach((watch) -> watch.listener.released(release, listeners));
		}

		@Override
		public void lost() {
			this.over = true;
			Subscriptions old = locked(
					() -> (Announcements.this.subscriptions == this.of && this.of != null) ? forget() : null);
			if (old != null) {
				old.close();
				connectLater();
			}
		}

	}

	private final class KeyWatch implements Watch {

		private final String key;

		private final ReleaseListener listener;

		private KeyWatch(String key, ReleaseListener listener) {
			this.key = key;
			this.listener = listener;
		}

		@Override
		public boolean isListening() {
			return locked(() -> Announcements.this.confirmed.contains(this.key));
		}

		@Override
		public void close() {
			locked(() -> {
				Set<KeyWatch> others = Announcements.this.watches.get(this.key);
				if (others != null && others.remove(this) && others.isEmpty()) {
					Announcements.this.watches.remove(this.key);
					Announcements.this.confirmed.remove(this.key);
					if (Announcements.this.subscriptions != null) {
						Announcements.this.subscriptions.unsubscribe(this.key);
					}
				}
				return this.key;
			});
		}

	}

}

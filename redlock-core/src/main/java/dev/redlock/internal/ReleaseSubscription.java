package dev.redlock.internal;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.redlock.spi.EventLoop;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.ReleaseListener;
import dev.redlock.spi.Scheduler.Timeout;
import dev.redlock.spi.Watch;
import org.jspecify.annotations.Nullable;

/**
 * A subscription to the releases of some keys on all nodes. It reports each release once,
 * even if several nodes announce it: when a majority has announced it or, if fewer do, a
 * moment after the first announcement.
 */
final class ReleaseSubscription {

	private static final int REMEMBERED = 8;

	private final EventLoop loop;

	private final RoundTimes roundTimes;

	private final Listener listener;

	private final List<String> keys;

	private final Map<Source, Watch> watches = new HashMap<>();

	/** The sources that have confirmed their watch. */
	private final Set<Source> confirmed = new HashSet<>();

	/** The names of the last reported releases, whose later announcements are ignored. */
	private final Deque<String> reported = new ArrayDeque<>();

	/** The nodes that have announced the current release. */
	private final Set<LockNode> announcedBy = new HashSet<>();

	private @Nullable String release;

	private int listeners;

	/** Whether the release was reported before a majority had announced it. */
	private boolean reportedEarly;

	private Timeout earlyTimer = Timeout.NONE;

	private int majority;

	private boolean open;

	/**
	 * Creates a subscription that is not open.
	 */
	ReleaseSubscription(List<String> keys, EventLoop loop, RoundTimes roundTimes, Listener listener) {
		this.keys = keys;
		this.loop = loop;
		this.roundTimes = roundTimes;
		this.listener = listener;
	}

	/**
	 * Opens the subscription, unless it is open.
	 * @return whether it is complete at once; the listener is not called for that
	 */
	boolean open(List<LockNode> nodes) {
		if (this.open) {
			return false;
		}
		this.majority = new Quorum(nodes.size()).majority();
		for (String key : this.keys) {
			nodes.forEach((node) -> watch(new Source(node, key)));
		}
		this.confirmed.addAll(this.watches.keySet());
		this.open = true;
		return isComplete();
	}

	/** Whether it was opened and not closed since. */
	boolean isOpen() {
		return this.open;
	}

	/**
	 * Whether announced releases will be received, because a majority of nodes is
	 * subscribed for each key.
	 */
	boolean isComplete() {
		// A watch that ends says nothing. It confirms again when it is back.
		this.watches.forEach((source, watch) -> {
			if (!watch.isListening()) {
				this.confirmed.remove(source);
			}
		});
		return this.open && this.keys.stream()
			.allMatch((key) -> this.confirmed.stream().filter((one) -> one.key.equals(key)).count() >= this.majority);
	}

	void close() {
		this.open = false;
		forgetAnnouncements();
		this.watches.values().forEach(Watch::close);
		this.watches.clear();
		this.confirmed.clear();
	}

	private void watch(Source source) {
		this.watches.put(source, source.node.watch(source.key, new ReleaseListener() {

			@Override
			public void listening() {
				ReleaseSubscription.this.loop.run(() -> onListening(source));
			}

			@Override
			public void released(String release, int listeners) {
				ReleaseSubscription.this.loop.run(() -> onReleased(source.node, release, listeners));
			}

		}));
	}

	/**
	 * Handles a watch that begins, also after a time in which it missed releases. That is
	 * news if this watch was needed for a majority.
	 */
	private void onListening(Source source) {
		if (this.open) {
			this.confirmed.remove(source);
			boolean wasComplete = isComplete();
			this.confirmed.add(source);
			if (!wasComplete && isComplete()) {
				this.listener.tryAgain();
			}
		}
	}

	private void onReleased(LockNode node, String name, int receivers) {
		if (!this.open || this.reported.contains(name)) {
			return;
		}
		if (!name.equals(this.release)) {
			if (this.release != null && this.reportedEarly) {
				remember(this.release);
			}
			forgetAnnouncements();
			this.release = name;
			if (this.majority > 1) {
				this.earlyTimer = this.loop.schedule(Duration.ofNanos(this.roundTimes.graceNanos()), () -> {
					this.reportedEarly = true;
					this.listener.released(name, this.listeners);
				});
			}
		}
		this.announcedBy.add(node);
		this.listeners = Math.max(this.listeners, receivers);
		if (this.announcedBy.size() >= this.majority) {
			report(name);
		}
	}

	private void report(String name) {
		boolean again = this.reportedEarly;
		int most = this.listeners;
		forgetAnnouncements();
		remember(name);
		if (again) {
			this.listener.tryAgain();
		}
		else {
			this.listener.released(name, most);
		}
	}

	private void remember(String name) {
		this.reported.addLast(name);
		if (this.reported.size() > REMEMBERED) {
			this.reported.removeFirst();
		}
	}

	private void forgetAnnouncements() {
		this.release = null;
		this.listeners = 0;
		this.reportedEarly = false;
		this.announcedBy.clear();
		this.earlyTimer.cancel();
	}

	/** One channel of one node. */
	private record Source(LockNode node, String key) {

	}

	/**
	 * Listener for announced releases.
	 */
	interface Listener {

		/**
		 * Called when another try is worthwhile. Either the subscription is complete
		 * again, so that a release may have been missed before; or a majority has now
		 * announced a release that was reported early.
		 */
		void tryAgain();

		/**
		 * Called when a release was announced.
		 * @param release the name of the release, the same on all nodes
		 * @param listeners the number of processes that received the release
		 */
		void released(String release, int listeners);

	}

}

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
 * A subscription to the releases of one key on all nodes. It reports each release once,
 * even if several nodes announce it: when a majority has announced it or, if fewer do, a
 * moment after the first announcement.
 */
final class ReleaseSubscription {

	private static final int REMEMBERED = 8;

	private final EventLoop loop;

	private final RoundTimes roundTimes;

	private final Listener listener;

	private final int majority;

	private final Map<LockNode, Watch> watches = new HashMap<>();

	/** The nodes that have confirmed their watch. */
	private final Set<LockNode> listening = new HashSet<>();

	/** The names of the last reported releases, whose later announcements are ignored. */
	private final Deque<String> told = new ArrayDeque<>();

	/** The nodes that have announced the current release. */
	private final Set<LockNode> announcedBy = new HashSet<>();

	private @Nullable String release;

	private int listeners;

	/** Whether the release was reported before a majority had announced it. */
	private boolean toldEarly;

	private Timeout earlyTimer = Timeout.NONE;

	private boolean opened;

	private boolean closed;

	ReleaseSubscription(int nodes, EventLoop loop, RoundTimes roundTimes, Listener listener) {
		this.loop = loop;
		this.roundTimes = roundTimes;
		this.listener = listener;
		this.majority = new Quorum(nodes).majority();
	}

	/**
	 * Opens the subscription. Not part of the constructor, because nodes may answer at
	 * once.
	 */
	void open(List<LockNode> nodes, String key) {
		for (LockNode node : nodes) {
			this.watches.put(node, node.watch(key, new ReleaseListener() {

				@Override
				public void listening() {
					ReleaseSubscription.this.loop.run(() -> onListening(node));
				}

				@Override
				public void released(String release, int listeners) {
					ReleaseSubscription.this.loop.run(() -> onReleased(node, release, listeners));
				}

			}));
		}
		this.opened = true;
		this.listening.addAll(nodes);
		if (isComplete()) {
			this.listener.tryAgain();
		}
	}

	/**
	 * Whether announced releases will be received, because a majority of nodes is
	 * subscribed.
	 */
	boolean isComplete() {
		// A watch that ends says nothing. It confirms again when it is back.
		this.watches.forEach((node, watch) -> {
			if (!watch.isListening()) {
				this.listening.remove(node);
			}
		});
		return this.listening.size() >= this.majority;
	}

	void close() {
		this.closed = true;
		forgetAnnouncements();
		this.watches.values().forEach(Watch::close);
	}

	/**
	 * Handles a watch that begins, also after a time in which it missed releases. That is
	 * news if this watch was needed for a majority.
	 */
	private void onListening(LockNode node) {
		if (!this.opened || this.closed) {
			return;
		}
		this.listening.remove(node);
		boolean wasComplete = isComplete();
		this.listening.add(node);
		if (!wasComplete && isComplete()) {
			this.listener.tryAgain();
		}
	}

	private void onReleased(LockNode node, String name, int toldBy) {
		if (this.closed || this.told.contains(name)) {
			return;
		}
		if (!name.equals(this.release)) {
			forgetAnnouncements();
			this.release = name;
			if (this.majority > 1) {
				this.earlyTimer = this.loop.schedule(Duration.ofNanos(this.roundTimes.graceNanos()),
						() -> tellEarly(name));
			}
		}
		this.announcedBy.add(node);
		this.listeners = Math.max(this.listeners, toldBy);
		if (this.announcedBy.size() >= this.majority) {
			tell(name);
		}
	}

	/**
	 * Reports a release that only a minority of nodes has announced so far.
	 */
	private void tellEarly(String name) {
		this.toldEarly = true;
		this.listener.released(name, this.listeners);
	}

	private void tell(String name) {
		boolean again = this.toldEarly;
		int most = this.listeners;
		forgetAnnouncements();
		this.told.addLast(name);
		if (this.told.size() > REMEMBERED) {
			this.told.removeFirst();
		}
		if (again) {
			this.listener.tryAgain();
		}
		else {
			this.listener.released(name, most);
		}
	}

	private void forgetAnnouncements() {
		this.release = null;
		this.listeners = 0;
		this.toldEarly = false;
		this.announcedBy.clear();
		this.earlyTimer.cancel();
	}

	/**
	 * Listener for announced releases.
	 */
	interface Listener {

		/**
		 * Called when another try is worthwhile. Either the subscription is complete now
		 * and was not before, so that a release may have been missed; or a majority has
		 * now announced a release that was reported early.
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

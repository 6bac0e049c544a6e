package dev.redlock;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
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

	private final List<Watch> watches = new ArrayList<>();

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
			this.watches.add(node.watch(key, new ReleaseListener() {

				@Override
				public void listening() {
					ReleaseSubscription.this.loop.run(ReleaseSubscription.this::onListening);
				}

				@Override
				public void released(String release, int listeners) {
					ReleaseSubscription.this.loop.run(() -> onReleased(node, release, listeners));
				}

			}));
		}
		this.opened = true;
		onListening();
	}

	/**
	 * Whether announced releases will be received, because a majority of nodes is
	 * subscribed.
	 */
	boolean isComplete() {
		return this.watches.stream().filter(Watch::isListening).count() >= this.majority;
	}

	void close() {
		this.closed = true;
		forgetAnnouncements();
		this.watches.forEach(Watch::close);
	}

	private void onListening() {
		if (this.opened && !this.closed && isComplete()) {
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
		 * Called when another try is worthwhile. Either the subscription has just become
		 * complete, and an earlier release may have been missed; or a majority has now
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

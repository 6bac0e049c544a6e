package dev.redlock.internal;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.redlock.QuorumStatus;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.ReleaseListener;
import dev.redlock.spi.Scheduler.Timeout;
import dev.redlock.spi.Watch;
import org.jspecify.annotations.Nullable;

/**
 * A subscription to the releases of some keys on some nodes. The listener is notified of
 * a release when a majority of the nodes has announced the release. If fewer nodes
 * announce a release, the listener is notified a short time after the first announcement.
 * If a majority announces the release only later, the listener is asked to try again.
 * After the announcement by a majority, later announcements of the same release are
 * ignored. The announcement of another release stops the wait for a majority that
 * announces the earlier release.
 */
final class ReleaseSubscription {

	private static final int REMEMBERED = 8;

	private final EventLoop loop;

	private final RoundTimes roundTimes;

	private final Listener listener;

	private final List<String> keys;

	private final List<LockNode> nodes;

	private final int majority;

	/** For each key, a watch on each node; empty while the subscription is not open. */
	private final Map<String, List<Watch>> watches = new HashMap<>();

	/** The names of the last reported releases, whose later announcements are ignored. */
	private final Deque<String> reported = new ArrayDeque<>();

	/** The nodes that have announced the release in the field {@code release}. */
	private final Set<LockNode> announcedBy = new HashSet<>();

	private @Nullable String release;

	private int listeners;

	/**
	 * Whether the listener was notified of the release before a majority announced the
	 * release.
	 */
	private boolean reportedEarly;

	private Timeout earlyTimer = Timeout.NONE;

	ReleaseSubscription(List<String> keys, List<LockNode> nodes, EventLoop loop, RoundTimes roundTimes,
			Listener listener) {
		this.keys = keys;
		this.nodes = nodes;
		this.majority = QuorumStatus.majorityOf(nodes.size());
		this.loop = loop;
		this.roundTimes = roundTimes;
		this.listener = listener;
	}

	/**
	 * Opens the subscription, unless it is open.
	 * @return whether the subscription is complete at once; the listener is not called in
	 * this case
	 */
	boolean open() {
		if (isOpen()) {
			return false;
		}
		for (String key : this.keys) {
			this.watches.put(key, this.nodes.stream().map((node) -> watch(key, node)).toList());
		}
		return isComplete();
	}

	boolean isOpen() {
		return !this.watches.isEmpty();
	}

	/**
	 * Whether this process is subscribed to releases of each key on a majority of the
	 * nodes.
	 */
	boolean isComplete() {
		return isOpen() && this.keys.stream().allMatch((key) -> listening(key) >= this.majority);
	}

	void close() {
		forgetAnnouncements();
		this.watches.values().forEach((watches) -> watches.forEach(Watch::close));
		this.watches.clear();
	}

	private Watch watch(String key, LockNode node) {
		return node.watch(key, new ReleaseListener() {

			@Override
			public void listening() {
				ReleaseSubscription.this.loop.run(() -> onListening(key));
			}

			@Override
			public void released(String release, int listeners) {
				ReleaseSubscription.this.loop.run(() -> onReleased(node, release, listeners));
			}

		});
	}

	/**
	 * Handles a subscription to one node that begins or begins again. If the subscription
	 * completes a majority, the listener tries again, because a release may have been
	 * missed.
	 */
	private void onListening(String key) {
		if (listening(key) == this.majority && isComplete()) {
			this.listener.tryAgain();
		}
	}

	/** Returns the number of nodes that will announce the releases of a key. */
	private long listening(String key) {
		return this.watches.getOrDefault(key, List.of()).stream().filter(Watch::isListening).count();
	}

	private void onReleased(LockNode node, String name, int receivers) {
		if (!isOpen() || this.reported.contains(name)) {
			return;
		}
		if (!name.equals(this.release)) {
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

	interface Listener {

		/**
		 * Called when a request should ask the nodes again. The subscription is complete
		 * again and a release may have been missed, or a majority has now announced a
		 * release that was reported early.
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

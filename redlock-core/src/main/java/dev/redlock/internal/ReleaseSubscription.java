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
 * A subscription to the releases of some keys on some nodes. A release is reported when a
 * majority of the nodes has announced it. If fewer nodes announce the release, the report
 * comes a short time after the first announcement. If a majority announces the release
 * only after the report, the listener may try again. Later announcements of a reported
 * release are ignored. An announcement of another release replaces the current release at
 * once. At worst, the other release is older and arrives late, and the report is delayed
 * by a short time.
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

	/** The nodes that have announced the current release. */
	private final Set<LockNode> announcedBy = new HashSet<>();

	private @Nullable String release;

	private int listeners;

	/** Whether the release was reported before a majority had announced it. */
	private boolean reportedEarly;

	private Timeout earlyTimer = Timeout.NONE;

	/**
	 * Creates a subscription that is not open.
	 */
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

	/** Whether the subscription was opened and not closed since. */
	boolean isOpen() {
		return !this.watches.isEmpty();
	}

	/**
	 * Whether announced releases will be received, because a majority of nodes is
	 * subscribed for each key.
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
	 * Handles a watch that begins, or that begins again and may have missed releases. If
	 * a majority needs this watch, the listener may try again.
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

	/**
	 * Listener for announced releases.
	 */
	interface Listener {

		/**
		 * Called when another try is worthwhile. A try is worthwhile when the
		 * subscription is complete again and a release may have been missed, or when a
		 * majority has announced a release that was reported early.
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

package dev.redlock.internal.waiting;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.redlock.QuorumStatus;
import dev.redlock.internal.vote.RoundTimes;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.ReleaseListener;
import dev.redlock.spi.Scheduler.Timeout;
import dev.redlock.spi.Watch;
import org.jspecify.annotations.Nullable;

/**
 * Subscribes to the releases of some keys, and reports a release when a majority of the
 * nodes has announced it. If only a minority announces a release, the listener is
 * notified a short time after the first announcement. If a majority announces a release
 * after the listener was notified, the listener is asked to try again.
 */
final class ReleaseSubscription {

	private static final int REMEMBERED = 8;

	private final EventLoop loop;

	private final RoundTimes roundTimes;

	private final Listener listener;

	private final List<String> keys;

	private final List<LockNode> nodes;

	private final int majority;

	private final Map<String, List<Watch>> watches = new HashMap<>();

	private final Deque<String> reported = new ArrayDeque<>();

	private final Set<LockNode> announcedBy = new HashSet<>();

	private @Nullable String release;

	private int listeners;

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
	 * @return true if the new subscription is active on a majority of the nodes at once
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
	 * Whether a majority of the nodes announces the releases of each key to this process.
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
	 * A release may have been missed before the subscription became complete, so the
	 * listener tries again.
	 */
	private void onListening(String key) {
		if (listening(key) == this.majority && isComplete()) {
			this.listener.tryAgain();
		}
	}

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
		 * Called when a release may have been missed, or when a majority announces a
		 * release that was already reported.
		 */
		void tryAgain();

		void released(String release, int listeners);

	}

}

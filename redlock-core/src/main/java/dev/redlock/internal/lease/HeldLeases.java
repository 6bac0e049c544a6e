package dev.redlock.internal.lease;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.redlock.spi.EventLoop;
import dev.redlock.spi.Scheduler.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * All leases of this process, and one timer that checks them for expiry. Keeps lost
 * leases until their keys expire on the nodes, so that a shutdown can release the keys.
 * Keeps a released lease until its release is on its way.
 * <p>
 * Timers stand still while the machine is suspended, so all leases are checked every half
 * second.
 */
public final class HeldLeases {

	static final Duration CHECK_INTERVAL = Duration.ofMillis(500);

	public static final Runnable NO_ACTION = () -> {
	};

	private final EventLoop loop;

	private final Set<HeldLease> leases = ConcurrentHashMap.newKeySet();

	private final Map<String, HeldLease> latestByKey = new ConcurrentHashMap<>();

	private Timeout timer = Timeout.NONE;

	private Runnable onEnd = NO_ACTION;

	public HeldLeases(EventLoop loop) {
		this.loop = loop;
	}

	void add(HeldLease lease) {
		this.leases.add(lease);
		lease.plan().keys().forEach((key) -> this.latestByKey.put(key, lease));
		lease.checkExpiry();
		if (this.timer == Timeout.NONE) {
			sweepLater();
		}
	}

	/**
	 * Thread-safe.
	 */
	void remove(HeldLease lease) {
		this.leases.remove(lease);
		lease.plan().keys().forEach((key) -> this.latestByKey.remove(key, lease));
	}

	/**
	 * Sets an action that runs on the event loop each time a lease was released, lost or
	 * detached.
	 */
	public void onEnd(Runnable action) {
		this.onEnd = action;
	}

	void ended() {
		stopTimerIfEmpty();
		this.onEnd.run();
	}

	void stopTimerIfEmpty() {
		if (this.leases.isEmpty()) {
			this.timer.cancel();
			this.timer = Timeout.NONE;
		}
	}

	public @Nullable HeldLease on(List<String> keys) {
		return on(keys, (lease) -> true);
	}

	public @Nullable HeldLease on(List<String> keys, Predicate<HeldLease> matching) {
		for (String key : keys) {
			HeldLease lease = this.latestByKey.get(key);
			if (lease != null && lease.isValid() && matching.test(lease)) {
				return lease;
			}
		}
		return null;
	}

	/** Thread-safe. */
	public Stream<HeldLease> stream() {
		return this.leases.stream();
	}

	private void sweepLater() {
		this.timer = this.loop.schedule(CHECK_INTERVAL, this::sweep);
	}

	private void sweep() {
		this.leases.forEach(HeldLease::checkExpiry);
		sweepLater();
		stopTimerIfEmpty();
	}

}

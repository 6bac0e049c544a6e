package dev.redlock.internal;

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
 * The leases of this process that were not released, and one timer that checks all these
 * leases. A lost lease stays here until the nodes have forgotten it, so that shutdown can
 * release a lost lease without a lock delay.
 * <p>
 * Timers stand still while the machine is suspended. A timer for the end of a validity
 * would run late by the whole time of the suspension, so the leases are checked every
 * half second.
 */
final class HeldLeases {

	/**
	 * The longest time until a holder learns, after a suspension, that its lease has
	 * expired.
	 */
	static final Duration INTERVAL = Duration.ofMillis(500);

	private final EventLoop loop;

	private final Set<HeldLease> leases = ConcurrentHashMap.newKeySet();

	/** The last lease on each key. */
	private final Map<String, HeldLease> byKey = new ConcurrentHashMap<>();

	private Timeout timer = Timeout.NONE;

	HeldLeases(EventLoop loop) {
		this.loop = loop;
	}

	/**
	 * Adds a lease that was just granted.
	 */
	void add(HeldLease lease) {
		this.leases.add(lease);
		lease.plan().keys().forEach((key) -> this.byKey.put(key, lease));
		lease.checkExpiry();
		if (this.timer == Timeout.NONE) {
			sweepLater();
		}
	}

	/**
	 * Removes a lease that was released or forgotten. Thread-safe.
	 */
	void remove(HeldLease lease) {
		this.leases.remove(lease);
		lease.plan().keys().forEach((key) -> this.byKey.remove(key, lease));
	}

	/**
	 * Stops the timer if no lease is left.
	 */
	void stopTimerIfEmpty() {
		if (this.leases.isEmpty()) {
			this.timer.cancel();
			this.timer = Timeout.NONE;
		}
	}

	/**
	 * Returns a valid lease of this process on one of the keys, if there is one.
	 */
	@Nullable HeldLease on(List<String> keys) {
		return on(keys, (lease) -> true);
	}

	/**
	 * Returns a valid lease of this process on one of the keys that matches the
	 * condition, if there is one.
	 */
	@Nullable HeldLease on(List<String> keys, Predicate<HeldLease> matching) {
		for (String key : keys) {
			HeldLease lease = this.byKey.get(key);
			if (lease != null && lease.isValid() && matching.test(lease)) {
				return lease;
			}
		}
		return null;
	}

	/** Returns the leases. Thread-safe. */
	Stream<HeldLease> stream() {
		return this.leases.stream();
	}

	private void sweepLater() {
		this.timer = this.loop.schedule(INTERVAL, this::sweep);
	}

	private void sweep() {
		this.leases.forEach(HeldLease::checkExpiry);
		sweepLater();
		stopTimerIfEmpty();
	}

}

package dev.redlock.spring.integration;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * The holds of all threads, by thread and resources. They are kept apart from the lock
 * objects, so that two objects for the same name are one lock.
 */
final class ThreadHolds {

	private static final int FIRST_SWEEP = 1000;

	private final Map<Key, Hold> holds = new ConcurrentHashMap<>();

	private final AtomicInteger nextSweep = new AtomicInteger(FIRST_SWEEP);

	/**
	 * Returns the hold of the current thread.
	 */
	@Nullable Hold get(List<String> resources) {
		return this.holds.get(Key.here(resources));
	}

	void put(List<String> resources, Hold hold) {
		this.holds.put(Key.here(resources), hold);
		if (this.holds.size() > this.nextSweep.get()) {
			sweep();
			this.nextSweep.set(Math.max(FIRST_SWEEP, 2 * this.holds.size()));
		}
	}

	void remove(List<String> resources) {
		this.holds.remove(Key.here(resources));
	}

	/**
	 * Returns the resources that live threads hold.
	 */
	Set<List<String>> held() {
		sweep();
		return this.holds.keySet().stream().map(Key::resources).collect(Collectors.toSet());
	}

	/**
	 * Removes the holds of threads that ended without unlocking. Their leases expire.
	 */
	private void sweep() {
		this.holds.keySet().removeIf((key) -> !key.thread().isAlive());
	}

	private record Key(List<String> resources, Thread thread) {

		static Key here(List<String> resources) {
			return new Key(resources, Thread.currentThread());
		}

	}

}

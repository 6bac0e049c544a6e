package dev.redlock.spring.integration;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Who holds what: an entry for each thread and lock. It is kept apart from the lock
 * objects, so that two objects for the same name are one lock, whichever of them a cache
 * has forgotten meanwhile.
 */
final class ThreadHolds {

	private static final int FIRST_SWEEP = 1000;

	private final Map<Key, Hold> holds = new ConcurrentHashMap<>();

	private final AtomicInteger nextSweep = new AtomicInteger(FIRST_SWEEP);

	/**
	 * What the current thread holds.
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
	 * What any thread that still lives holds.
	 */
	Set<List<String>> held() {
		sweep();
		return this.holds.keySet().stream().map(Key::resources).collect(Collectors.toSet());
	}

	/**
	 * Forgets what threads left behind that ended without unlocking. Their leases end by
	 * themselves.
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

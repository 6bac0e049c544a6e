package dev.redlock.spring.lock;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * The leases of all threads, by thread and resources. They are kept apart from the lock
 * objects, so that two objects for the same name are one lock.
 */
final class ThreadLeases {

	private static final int FIRST_SWEEP = 1000;

	private final Map<Key, ThreadLease> leases = new ConcurrentHashMap<>();

	private final AtomicInteger nextSweep = new AtomicInteger(FIRST_SWEEP);

	/**
	 * Returns the lease of the current thread.
	 */
	@Nullable ThreadLease get(List<String> resources) {
		return this.leases.get(Key.here(resources));
	}

	void put(List<String> resources, ThreadLease lease) {
		this.leases.put(Key.here(resources), lease);
		if (this.leases.size() > this.nextSweep.get()) {
			sweep();
			this.nextSweep.set(Math.max(FIRST_SWEEP, 2 * this.leases.size()));
		}
	}

	void remove(List<String> resources) {
		this.leases.remove(Key.here(resources));
	}

	/**
	 * Returns the resources that live threads hold.
	 */
	Set<List<String>> held() {
		sweep();
		return this.leases.keySet().stream().map(Key::resources).collect(Collectors.toSet());
	}

	/**
	 * Removes the leases of threads that ended without unlocking. They expire with their
	 * ttl.
	 */
	private void sweep() {
		this.leases.keySet().removeIf((key) -> !key.thread().isAlive());
	}

	private record Key(List<String> resources, Thread thread) {

		static Key here(List<String> resources) {
			return new Key(resources, Thread.currentThread());
		}

	}

}

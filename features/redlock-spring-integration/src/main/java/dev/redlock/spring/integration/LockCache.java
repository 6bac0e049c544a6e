package dev.redlock.spring.integration;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Keeps the lock objects of a registry, so that the same key gives the same object. It is
 * bounded: the objects that were not obtained for the longest time are forgotten first,
 * but none that is held. Only the identity of the objects depends on it.
 */
final class LockCache {

	private final ReentrantLock guard = new ReentrantLock();

	private final Map<String, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

	private final Supplier<Set<List<String>>> held;

	private final LongSupplier nanoTime;

	private int capacity;

	/**
	 * @param capacity how many locks are kept
	 * @param held the resources of the locks that are held
	 * @param nanoTime a monotonic clock
	 */
	LockCache(int capacity, Supplier<Set<List<String>>> held, LongSupplier nanoTime) {
		this.capacity = capacity;
		this.held = held;
		this.nanoTime = nanoTime;
	}

	RegistryLock get(String key, Function<String, RegistryLock> factory) {
		return guarded(() -> {
			Entry known = this.entries.get(key);
			RegistryLock lock = (known != null) ? known.lock() : factory.apply(key);
			this.entries.put(key, new Entry(lock, this.nanoTime.getAsLong()));
			shrink();
			return lock;
		});
	}

	void capacity(int capacity) {
		guarded(() -> {
			this.capacity = capacity;
			shrink();
			return this.capacity;
		});
	}

	/**
	 * Forgets locks that were not obtained in this time and are not held.
	 */
	void expire(long ageMillis) {
		guarded(() -> {
			long now = this.nanoTime.getAsLong();
			Set<List<String>> inUse = this.held.get();
			return this.entries.values()
				.removeIf((entry) -> TimeUnit.NANOSECONDS.toMillis(now - entry.obtained()) > ageMillis
						&& !inUse.contains(entry.resources()));
		});
	}

	int size() {
		return guarded(this.entries::size);
	}

	private <T> T guarded(Supplier<T> action) {
		this.guard.lock();
		try {
			return action.get();
		}
		finally {
			this.guard.unlock();
		}
	}

	private void shrink() {
		if (this.entries.size() <= this.capacity) {
			return;
		}
		Set<List<String>> inUse = this.held.get();
		Iterator<Entry> eldestFirst = this.entries.values().iterator();
		while (this.entries.size() > this.capacity && eldestFirst.hasNext()) {
			if (!inUse.contains(eldestFirst.next().resources())) {
				eldestFirst.remove();
			}
		}
	}

	private record Entry(RegistryLock lock, long obtained) {

		List<String> resources() {
			return this.lock.resources();
		}

	}

}

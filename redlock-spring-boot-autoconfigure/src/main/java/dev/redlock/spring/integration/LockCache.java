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
 * The locks that a registry has handed out, so that who asks again gets the same object.
 * Bounded: the ones that were not asked for the longest are forgotten, but none that is
 * held. Nothing depends on it but the identity of the objects.
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
		this.guard.lock();
		try {
			Entry known = this.entries.get(key);
			RegistryLock lock = (known != null) ? known.lock() : factory.apply(key);
			this.entries.put(key, new Entry(lock, this.nanoTime.getAsLong()));
			shrink();
			return lock;
		}
		finally {
			this.guard.unlock();
		}
	}

	void capacity(int capacity) {
		this.guard.lock();
		try {
			this.capacity = capacity;
			shrink();
		}
		finally {
			this.guard.unlock();
		}
	}

	/**
	 * Forgets what was not asked for in this time, and is not held.
	 */
	void expire(long ageMillis) {
		this.guard.lock();
		try {
			long now = this.nanoTime.getAsLong();
			Set<List<String>> inUse = this.held.get();
			this.entries.values()
				.removeIf((entry) -> TimeUnit.NANOSECONDS.toMillis(now - entry.asked()) > ageMillis
						&& !inUse.contains(entry.resources()));
		}
		finally {
			this.guard.unlock();
		}
	}

	int size() {
		this.guard.lock();
		try {
			return this.entries.size();
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

	private record Entry(RegistryLock lock, long asked) {

		List<String> resources() {
			return this.lock.unwrap().request().resources();
		}

	}

}

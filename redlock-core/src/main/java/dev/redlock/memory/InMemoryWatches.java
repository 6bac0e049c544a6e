package dev.redlock.memory;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

import dev.redlock.spi.Claim;
import dev.redlock.spi.ReleaseListener;
import dev.redlock.spi.Watch;

/**
 * The subscriptions to releases on one in-memory node.
 */
final class InMemoryWatches {

	private final List<InMemoryWatch> watches = new CopyOnWriteArrayList<>();

	private final BooleanSupplier reachable;

	InMemoryWatches(BooleanSupplier reachable) {
		this.reachable = reachable;
	}

	Watch add(String key, ReleaseListener listener) {
		InMemoryWatch watch = new InMemoryWatch(this, key, listener);
		this.watches.add(watch);
		if (this.reachable.getAsBoolean()) {
			listener.listening();
		}
		return watch;
	}

	/**
	 * Returns the number of subscriptions to the key that has the most subscriptions.
	 */
	int count(List<String> keys) {
		return this.watches.isEmpty() ? 0
				: keys.stream()
					.mapToInt((key) -> (int) this.watches.stream().filter((watch) -> watch.key.equals(key)).count())
					.max()
					.orElse(0);
	}

	void announce(Claim claim, List<String> keys) {
		String name = claim.releaseName();
		int listeners = count(keys);
		for (InMemoryWatch watch : this.watches) {
			if (keys.contains(watch.key)) {
				watch.listener.released(name, listeners);
			}
		}
	}

	void reachableAgain() {
		this.watches.forEach((watch) -> watch.listener.listening());
	}

	private record InMemoryWatch(InMemoryWatches all, String key, ReleaseListener listener) implements Watch {

		@Override
		public boolean isListening() {
			return this.all.reachable.getAsBoolean();
		}

		@Override
		public void close() {
			this.all.watches.remove(this);
		}

	}

}

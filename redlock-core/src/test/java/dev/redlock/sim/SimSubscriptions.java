package dev.redlock.sim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import dev.redlock.memory.InMemoryNode;
import dev.redlock.spi.ReleaseListener;
import dev.redlock.spi.Watch;

/**
 * The watches of one client on one server. They share one subscription for each key, so
 * that the server counts clients and not their queues.
 */
final class SimSubscriptions {

	private final InMemoryNode server;

	private final List<SimWatch> watches = new ArrayList<>();

	private final Map<String, Watch> byKey = new HashMap<>();

	SimSubscriptions(InMemoryNode server) {
		this.server = server;
	}

	void opened(SimWatch watch) {
		this.watches.add(watch);
	}

	void closed(SimWatch watch) {
		this.watches.remove(watch);
		if (this.watches.stream().noneMatch((other) -> other.isSubscribedTo(watch.key()))) {
			this.byKey.getOrDefault(watch.key(), Watch.DEAF).close();
			this.byKey.remove(watch.key());
		}
	}

	/**
	 * Subscribes to the key of a watch, if that is not done.
	 */
	void subscribed(SimWatch watch) {
		String key = watch.key();
		if (this.byKey.containsKey(key)) {
			watch.listening();
			return;
		}
		this.byKey.put(key, this.server.watch(key, new ReleaseListener() {

			@Override
			public void listening() {
				forEach(key, SimWatch::listening);
			}

			@Override
			public void released(String release, int listeners) {
				forEach(key, (each) -> each.released(release, listeners));
			}

		}));
	}

	void lost() {
		this.byKey.values().forEach(Watch::close);
		this.byKey.clear();
		this.watches.forEach(SimWatch::lost);
	}

	void subscribeAgain() {
		List.copyOf(this.watches).forEach(SimWatch::subscribe);
	}

	private void forEach(String key, Consumer<SimWatch> action) {
		this.watches.stream().filter((watch) -> watch.isSubscribedTo(key)).toList().forEach(action);
	}

}

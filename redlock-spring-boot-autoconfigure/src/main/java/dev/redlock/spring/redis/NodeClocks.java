package dev.redlock.spring.redis;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;

import dev.redlock.spi.Ticker;

/**
 * The clocks of the servers of one node, by their place, so that a step while a
 * connection was down shows too.
 */
final class NodeClocks {

	private final NodeSettings settings;

	private final Ticker ticker;

	private final LongPredicate listener;

	private final Map<String, ClockWatch> byPlace = new HashMap<>();

	private int doubts;

	/**
	 * Creates the clocks of a node.
	 * @param listener is told by how many microseconds a clock stepped, and says whether
	 * the node has to be doubted
	 */
	NodeClocks(NodeSettings settings, Ticker ticker, LongPredicate listener) {
		this.settings = settings;
		this.ticker = ticker;
		this.listener = listener;
	}

	/**
	 * The clock at a place, which is that of the given server from here on.
	 */
	ClockWatch of(String place, ServerFacts server) {
		ClockWatch clock = this.byPlace.computeIfAbsent(place, (unknown) -> new ClockWatch(this.settings, this.ticker));
		clock.turnTo(server);
		return clock;
	}

	void keepOnly(Set<String> places) {
		this.byPlace.keySet().retainAll(places);
	}

	/**
	 * Takes note of a server's time.
	 * @param sentNanos when it was asked for it
	 * @param serverMicros what it said, or 0 if it did not
	 */
	void told(ClockWatch clock, long sentNanos, long serverMicros) {
		long stepMicros = (serverMicros != 0) ? clock.told(sentNanos, serverMicros) : 0;
		if (stepMicros != 0 && this.listener.test(stepMicros)) {
			this.doubts++;
		}
	}

	/**
	 * How often a step has made the node doubtful.
	 */
	int doubts() {
		return this.doubts;
	}

}

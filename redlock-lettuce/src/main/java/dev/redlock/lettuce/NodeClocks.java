package dev.redlock.lettuce;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;

import dev.redlock.spi.Ticker;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;

/**
 * The clocks of the servers of one node. They outlive connections, so that a step is
 * noticed that happened while a connection was down.
 */
final class NodeClocks {

	private final NodeSettings settings;

	private final Ticker ticker;

	private final LongPredicate listener;

	private final Map<String, ClockWatch> byPlace = new HashMap<>();

	private int doubts;

	/**
	 * Creates the clocks of a node.
	 * @param listener receives the microseconds by which a clock stepped, and returns
	 * whether the node must be checked because of it
	 */
	NodeClocks(NodeSettings settings, Ticker ticker, LongPredicate listener) {
		this.settings = settings;
		this.ticker = ticker;
		this.listener = listener;
	}

	/**
	 * Returns the clock at a place, from now on for the given server.
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
	 * Compares a server's time with the times before, to notice a step of its clock.
	 * @param clock the clock, or null if its steps do not matter now
	 * @param sentNanos when the server was asked
	 * @param serverMicros its answer, or 0 if it gave none
	 */
	void observe(@Nullable ClockWatch clock, long sentNanos, long serverMicros) {
		if (clock == null || serverMicros == 0) {
			return;
		}
		long stepMicros = clock.observe(sentNanos, serverMicros);
		if (stepMicros != 0 && this.listener.test(stepMicros)) {
			this.doubts++;
		}
	}

	/**
	 * Observes the time in a vote.
	 * @param doubtsBefore the number of {@link #doubts} when the command was sent
	 * @return the vote, or a fault if a step since then makes it worthless
	 */
	Vote judge(Vote vote, @Nullable ClockWatch clock, long sentNanos, int doubtsBefore) {
		long serverMicros = ScriptReply.serverMicros(vote);
		observe(clock, sentNanos, serverMicros);
		// An earlier answer may have shown the step already.
		boolean doubtful = serverMicros != 0 && this.doubts != doubtsBefore;
		return doubtful ? ScriptReply.afterClockStep(serverMicros) : vote;
	}

	/**
	 * Returns how many steps made a check necessary so far.
	 */
	int doubts() {
		return this.doubts;
	}

}

package dev.redlock.lettuce;

import java.time.Duration;

import dev.redlock.lettuce.DataHistory.KnownLife;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Scheduler;
import dev.redlock.spi.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a server that was just checked may have forgotten locks. Also decides
 * how long a server that may have forgotten locks must wait before it votes.
 */
final class RestartGuard {

	private static final String UNKNOWN = "Clients have known the server for a shorter time than redlock.max-ttl";

	private static final String ANOTHER_LIFE = "The server was restarted or emptied, or another server took its place";

	private static final String CONSEQUENCE = ", so it may have forgotten locks that are still held";

	/**
	 * A name that no server process has. If this name is the last known server process,
	 * the current server process counts as restarted.
	 */
	private static final String NO_LIFE = "?";

	private final NodeSettings settings;

	private final Ticker ticker;

	private @Nullable SeenLife lastSeen;

	RestartGuard(NodeSettings settings, Ticker ticker) {
		this.settings = settings;
		this.ticker = ticker;
	}

	/**
	 * Returns the last server process and its data (its life) that this client saw.
	 */
	KnownLife knownLife() {
		SeenLife sight = this.lastSeen;
		return (sight != null) ? new KnownLife(sight.life, sight.durable) : KnownLife.NONE;
	}

	/**
	 * Returns the time since which the server has lost no data, in microseconds since the
	 * epoch. The time comes from the clock of the client that saw this server process
	 * first. While data may be missing, the result is {@link Long#MAX_VALUE}. Before the
	 * first check, and without the restart guard, the result is {@link Long#MIN_VALUE}.
	 */
	long keptSinceMicros() {
		SeenLife sight = this.lastSeen;
		if (sight == null) {
			return Long.MIN_VALUE;
		}
		return NO_LIFE.equals(sight.life) ? Long.MAX_VALUE : sight.sinceMicros;
	}

	/**
	 * Decides whether a server may vote on locks.
	 * @param history what clients know about the server's data; null without the restart
	 * guard
	 * @param connection the connection over which the server was checked
	 * @return the new state of the node: ready, quarantined or unfit
	 */
	NodeState stateAfterCheck(ServerFacts facts, @Nullable DataHistory history, @Nullable NodeConnection connection) {
		String unfit = facts.unfitBecause();
		if (unfit != null) {
			if (facts.mayEvict() && this.settings.restartGuard()) {
				forget("The server could evict locks", "");
			}
			return NodeState.of(State.UNFIT, unfit, connection);
		}
		if (history == null) {
			return NodeState.ready(connection);
		}
		// Only the last server process is remembered. If a former process comes back, it
		// does not know the locks that were granted in the meantime.
		SeenLife sight = seen(this.lastSeen, facts, history);
		this.lastSeen = sight;
		Duration remaining = remaining(sight, history.age());
		if (remaining.isZero()) {
			voted(sight);
			return NodeState.ready(connection);
		}
		return NodeState.quarantined(sight.why + CONSEQUENCE, remaining, this.ticker.nanoTime(), connection,
				sight.keepsClaims());
	}

	/**
	 * Stores that a server has evicted keys, or no longer writes to disk before it
	 * acknowledges a write. The loss of data is remembered at once, because the server
	 * may crash before the next check ends. The next check writes the loss to the server,
	 * so that other clients know it too.
	 */
	void observed(ServerFacts facts) {
		SeenLife last = this.lastSeen;
		if (last != null && last.hasEvictedSince(facts)) {
			forget("The server has evicted keys", "");
		}
		else if (last != null && last.durable && !facts.durable()) {
			this.lastSeen = new SeenLife(last.life, last.why, last.sinceNanos, last.first, last.voted, false,
					last.sinceMicros, last.evictedKeys, last.keeps);
		}
	}

	/**
	 * Makes a node ready at the end of its quarantine. If the server process has not
	 * changed, the node then votes on locks. If the timer ran early, the timer is set
	 * again.
	 */
	void serve(NodeState quarantined, NodeStateHolder states, Scheduler scheduler) {
		serve(quarantined, this.lastSeen, states, scheduler);
	}

	private void serve(NodeState quarantined, @Nullable SeenLife judged, NodeStateHolder states, Scheduler scheduler) {
		scheduler.schedule(quarantined.remaining(this.ticker.nanoTime()), () -> {
			if (!quarantined.remaining(this.ticker.nanoTime()).isZero()) {
				serve(quarantined, judged, states, scheduler);
			}
			else if (states.replace(quarantined, NodeState.ready(quarantined.connection())) && judged != null) {
				voted(judged);
			}
		});
	}

	/**
	 * Handles a clock step of the server. A step forward may have ended locks early, so
	 * the server counts as restarted. A step back only makes locks last longer, which is
	 * safe.
	 * @return why the server must be checked, or null if no check is needed
	 */
	@Nullable String clockStepped(long stepMicros) {
		if (stepMicros <= 0 || !this.settings.restartGuard()) {
			return null;
		}
		String why = "The clock of the server stepped forward by " + stepMicros / 1000 + " ms, so the server may "
				+ "have forgotten locks too early";
		SeenLife last = this.lastSeen;
		forget(why, (last == null) ? "" : last.voted ? last.life : last.keeps);
		return why;
	}

	private void forget(String why, String keeps) {
		this.lastSeen = new SeenLife(NO_LIFE, why, this.ticker.nanoTime(), false, false, false, 0, Long.MAX_VALUE,
				keeps);
	}

	private Duration remaining(SeenLife sight, Duration age) {
		if (sight.voted) {
			return Duration.ZERO;
		}
		Duration waited = Duration.ofNanos(this.ticker.nanoTime() - sight.sinceNanos);
		// The age that other clients know counts only for the first server. A server that
		// took its place may be older but lack its locks.
		Duration known = (sight.first && age.compareTo(waited) > 0) ? age : waited;
		Duration remaining = this.settings.quarantine().minus(known);
		return remaining.isNegative() ? Duration.ZERO : remaining;
	}

	private SeenLife seen(@Nullable SeenLife last, ServerFacts facts, DataHistory history) {
		String life = history.life(facts);
		if (last == null) {
			return new SeenLife(life, UNKNOWN, this.ticker.nanoTime(), true, this.settings.fresh(),
					facts.durable() && history.durable(), history.sinceMicros(), facts.evictedKeys(), "");
		}
		boolean same = last.life.equals(life);
		boolean durable = facts.durable() && history.durable() && (!same || last.durable);
		// A life that lost locks may have been seen only by other clients. The server
		// then has another moment.
		boolean kept = history.sinceMicros() == last.sinceMicros && facts.keepsLocksOf(last.durable)
				&& last.life.startsWith(history.marker().id() + " ");
		if (same || kept) {
			return new SeenLife(life, last.why, last.sinceNanos, last.first, last.voted, durable, history.sinceMicros(),
					facts.evictedKeys(), last.keeps);
		}
		String why = NO_LIFE.equals(last.life) ? last.why : ANOTHER_LIFE;
		return new SeenLife(life, why, this.ticker.nanoTime(), false, false, durable, history.sinceMicros(),
				facts.evictedKeys(), last.keeps);
	}

	private void voted(SeenLife sight) {
		if (this.lastSeen == sight) {
			this.lastSeen = new SeenLife(sight.life, sight.why, sight.sinceNanos, sight.first, true, sight.durable,
					sight.sinceMicros, sight.evictedKeys, "");
		}
	}

	/**
	 * The server process and its data (together its life) that this client saw last.
	 *
	 * @param life the name of the server process with its data
	 * @param why why the server must wait before it votes, if it must wait
	 * @param sinceNanos when this client first saw this server process with its data
	 * @param first whether this client saw no other server process or data before
	 * @param voted whether this server process has voted on locks
	 * @param durable whether each check by this client found that the server writes to
	 * disk before it acknowledges a write
	 * @param sinceMicros the time since which the server has lost no lock
	 * @param evictedKeys the number of keys that the server had evicted
	 * @param keeps the name of the server process with its data that had voted when its
	 * clock stepped, otherwise empty. Locks may have ended early, but the server may
	 * extend the remaining locks
	 */
	private record SeenLife(String life, String why, long sinceNanos, boolean first, boolean voted, boolean durable,
			long sinceMicros, long evictedKeys, String keeps) {

		/**
		 * Whether the server process is still the process whose clock stepped. Such a
		 * server may extend its remaining locks.
		 */
		boolean keepsClaims() {
			return this.life.equals(this.keeps);
		}

		/**
		 * Whether the same server process has evicted keys since this client saw it. A
		 * lower number of evicted keys means that the counter was reset, which may hide
		 * evictions.
		 */
		boolean hasEvictedSince(ServerFacts facts) {
			return facts.evictedKeys() != this.evictedKeys && this.life.endsWith(" " + facts.incarnation());
		}

	}

}

package dev.redlock.lettuce.internal.state;

import java.time.Duration;

import dev.redlock.lettuce.internal.connection.DataHistory;
import dev.redlock.lettuce.internal.connection.DataHistory.KnownServer;
import dev.redlock.lettuce.internal.connection.NodeConnection;
import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.lettuce.internal.facts.ServerFacts;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Scheduler;
import dev.redlock.spi.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a server that was just checked may have forgotten locks, and how long
 * it must wait before it votes on locks.
 */
final class RestartGuard {

	private static final String UNKNOWN = "The first client of the lock connected to this server less than redlock.max-ttl ago";

	private static final String REPLACED = "The server was restarted or emptied, or another server took its place";

	private static final String CONSEQUENCE = ", so it may have forgotten locks that are still held";

	/**
	 * An id that no server process has, so that the next server process counts as
	 * restarted.
	 */
	private static final String NO_SERVER = "?";

	private final NodeSettings settings;

	private final Ticker ticker;

	private @Nullable SeenServer lastSeen;

	RestartGuard(NodeSettings settings, Ticker ticker) {
		this.settings = settings;
		this.ticker = ticker;
	}

	KnownServer knownServer() {
		SeenServer server = this.lastSeen;
		return (server != null) ? new KnownServer(server.id, server.durable) : KnownServer.NONE;
	}

	/**
	 * Returns since when the server has lost no data, in microseconds since the epoch.
	 * Returns {@link Long#MAX_VALUE} while the server may lack data. Returns
	 * {@link Long#MIN_VALUE} before the first check, and if the restart guard is off.
	 */
	long noLossSinceMicros() {
		SeenServer server = this.lastSeen;
		if (server == null) {
			return Long.MIN_VALUE;
		}
		return NO_SERVER.equals(server.id) ? Long.MAX_VALUE : server.sinceMicros;
	}

	/**
	 * Decides whether a server may vote on locks.
	 * @param history what clients have stored about losses of data, null if the restart
	 * guard is off
	 */
	NodeState stateAfterCheck(ServerFacts facts, @Nullable DataHistory history, @Nullable NodeConnection connection) {
		String unfit = facts.unfitBecause(this.settings.allowEviction());
		if (unfit != null) {
			if (facts.mayEvict() && this.settings.restartGuard()) {
				forget("The server could evict locks", "");
			}
			return NodeState.of(State.UNFIT, unfit, connection);
		}
		if (history == null) {
			return NodeState.ready(connection);
		}
		// An earlier server process that serves again lacks the latest locks, so only the
		// last process is remembered.
		SeenServer server = seen(this.lastSeen, facts, history);
		this.lastSeen = server;
		Duration remaining = remaining(server, history.age());
		if (remaining.isZero()) {
			markVoted(server);
			return NodeState.ready(connection);
		}
		return NodeState.quarantined(server.why + CONSEQUENCE, remaining, this.ticker.nanoTime(), connection,
				server.mayExtendOldLocks());
	}

	/**
	 * Remembers at once that a server has evicted keys or stopped writing durably,
	 * because the server may crash before its next check. The next check writes the loss
	 * of data into a key on the server, which other clients read.
	 */
	void observed(ServerFacts facts) {
		SeenServer last = this.lastSeen;
		if (last != null && last.hasEvictedSince(facts)) {
			forget("The server has evicted keys", "");
		}
		else if (last != null && last.durable && !facts.durable()) {
			this.lastSeen = last.withoutDurability();
		}
	}

	/**
	 * Makes the node ready when its quarantine ends, unless its state has changed by
	 * then.
	 */
	void voteAfter(NodeState quarantined, NodeStateHolder states, Scheduler loop) {
		voteAfter(quarantined, this.lastSeen, states, loop);
	}

	private void voteAfter(NodeState quarantined, @Nullable SeenServer seen, NodeStateHolder states, Scheduler loop) {
		loop.schedule(quarantined.remaining(this.ticker.nanoTime()), () -> {
			if (!quarantined.remaining(this.ticker.nanoTime()).isZero()) {
				voteAfter(quarantined, seen, states, loop);
			}
			else if (states.replace(quarantined, NodeState.ready(quarantined.connection())) && seen != null) {
				markVoted(seen);
			}
		});
	}

	/**
	 * Handles a clock step of the server. A clock step forward may have ended locks
	 * early, so the server counts as restarted. A clock step back only makes locks last
	 * longer, which is safe.
	 * @return why the server must be checked, or null if no check is needed
	 */
	@Nullable String clockStepped(long stepMicros) {
		if (stepMicros <= 0 || !this.settings.restartGuard()) {
			return null;
		}
		String why = "The clock of the server stepped forward by " + stepMicros / 1000 + " ms, so the server may "
				+ "have forgotten locks too early";
		SeenServer last = this.lastSeen;
		forget(why, (last == null) ? "" : last.voted ? last.id : last.steppedId);
		return why;
	}

	private void forget(String why, String steppedId) {
		this.lastSeen = new SeenServer(NO_SERVER, why, this.ticker.nanoTime(), false, false, false, 0, Long.MAX_VALUE,
				steppedId);
	}

	private Duration remaining(SeenServer server, Duration age) {
		if (server.voted) {
			return Duration.ZERO;
		}
		Duration waited = Duration.ofNanos(this.ticker.nanoTime() - server.sinceNanos);
		// How long other clients have known a server counts only for the first server
		// that this client saw. A replacement server may be older but lack the locks of
		// the first server.
		Duration known = (server.first && age.compareTo(waited) > 0) ? age : waited;
		Duration remaining = this.settings.quarantine().minus(known);
		return remaining.isNegative() ? Duration.ZERO : remaining;
	}

	private SeenServer seen(@Nullable SeenServer last, ServerFacts facts, DataHistory history) {
		String id = history.serverId(facts);
		if (last == null) {
			return new SeenServer(id, UNKNOWN, this.ticker.nanoTime(), true, this.settings.fresh(),
					facts.durable() && history.durable(), history.sinceMicros(), facts.evictedKeys(), "");
		}
		boolean same = last.id.equals(id);
		boolean durable = facts.durable() && history.durable() && (!same || last.durable);
		// The time of the last loss of locks differs if other clients have noticed a loss
		// that this client missed.
		boolean kept = history.sinceMicros() == last.sinceMicros && facts.keepsLocksOf(last.durable)
				&& last.id.startsWith(history.marker().id() + " ");
		if (same || kept) {
			return new SeenServer(id, last.why, last.sinceNanos, last.first, last.voted, durable, history.sinceMicros(),
					facts.evictedKeys(), last.steppedId);
		}
		String why = NO_SERVER.equals(last.id) ? last.why : REPLACED;
		return new SeenServer(id, why, this.ticker.nanoTime(), false, false, durable, history.sinceMicros(),
				facts.evictedKeys(), last.steppedId);
	}

	private void markVoted(SeenServer server) {
		if (this.lastSeen == server) {
			this.lastSeen = server.withVote();
		}
	}

	/**
	 * What this client remembers about the server since its last check.
	 *
	 * @param first whether this client had checked no other server process or data before
	 * @param steppedId the id of the server if its clock stepped after it had voted on
	 * locks, otherwise empty
	 */
	private record SeenServer(String id, String why, long sinceNanos, boolean first, boolean voted, boolean durable,
			long sinceMicros, long evictedKeys, String steppedId) {

		SeenServer withoutDurability() {
			return new SeenServer(this.id, this.why, this.sinceNanos, this.first, this.voted, false, this.sinceMicros,
					this.evictedKeys, this.steppedId);
		}

		SeenServer withVote() {
			return new SeenServer(this.id, this.why, this.sinceNanos, this.first, true, this.durable, this.sinceMicros,
					this.evictedKeys, "");
		}

		/**
		 * A server process whose clock stepped may extend the locks that it still has.
		 */
		boolean mayExtendOldLocks() {
			return this.id.equals(this.steppedId);
		}

		/**
		 * If the server's number of evicted keys has fallen, the counter was reset, which
		 * may hide evictions.
		 */
		boolean hasEvictedSince(ServerFacts facts) {
			return facts.evictedKeys() != this.evictedKeys && this.id.endsWith(" " + facts.incarnation());
		}

	}

}

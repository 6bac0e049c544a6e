package dev.redlock.lettuce.internal.restart;

import java.time.Duration;

import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.lettuce.internal.facts.ServerFacts;
import dev.redlock.lettuce.internal.restart.DataHistory.KnownServer;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a server that was just checked may have forgotten locks, and how long
 * it must wait before it votes on locks: <pre>
 *  trust   | a check finds the former locks | finds other locks | locks may be lost
 *  --------+--------------------------------+-------------------+------------------
 *  unknown | cannot be                      | waiting           | unknown
 *  waiting | waiting, voted when it is over | waiting anew      | unknown
 *  voted   | voted                          | waiting           | unknown
 * </pre> The table of {@link DataHistory#SCRIPT} says whether a check finds the former
 * locks. The first server of a client that expects a fresh server votes without waiting.
 */
public final class RestartGuard {

	private static final Unknown FIRST = new Unknown(new Server(KnownServer.NONE, Long.MIN_VALUE, 0),
			"The first client of the lock connected to this server less than redlock.max-ttl ago", "");

	private static final Server DOUBTED = new Server(KnownServer.DOUBTED, Long.MAX_VALUE, 0);

	private static final String REPLACED = "The server was restarted or emptied, or another server took its place";

	private static final String CONSEQUENCE = ", so it may have forgotten locks that are still held";

	private final NodeSettings settings;

	private final Ticker ticker;

	private Trust trust = FIRST;

	public RestartGuard(NodeSettings settings, Ticker ticker) {
		this.settings = settings;
		this.ticker = ticker;
	}

	public KnownServer knownServer() {
		return this.trust.server().known;
	}

	/**
	 * Returns since when the server has lost no data, in microseconds since the epoch.
	 * Returns {@link Long#MAX_VALUE} while the server may lack data. Returns
	 * {@link Long#MIN_VALUE} before the first check, and if the restart guard is off.
	 */
	public long noLossSinceMicros() {
		return this.trust.server().sinceMicros;
	}

	/**
	 * Decides whether a server may vote on locks.
	 * @param history what clients have stored about losses of data, null if the restart
	 * guard is off
	 */
	public Verdict stateAfterCheck(ServerFacts facts, @Nullable DataHistory history) {
		String unfit = facts.unfitBecause(this.settings.allowEviction());
		if (unfit != null) {
			if (facts.mayEvict() && this.settings.restartGuard()) {
				doubt("The server could evict locks", "");
			}
			return new Verdict(State.UNFIT, unfit, Duration.ZERO, false);
		}
		if (history == null) {
			return Verdict.READY;
		}
		this.trust = trustAfterCheck(facts, history);
		if (this.trust instanceof Waiting waiting) {
			Duration remaining = remaining(waiting, history.age());
			if (!remaining.isZero()) {
				return new Verdict(State.QUARANTINED, waiting.before.why + CONSEQUENCE, remaining,
						waiting.server.known.id().equals(waiting.mayExtend()));
			}
			hasWaited();
		}
		return Verdict.READY;
	}

	/**
	 * Remembers at once that a server has evicted keys or stopped writing durably,
	 * because the server may crash before its next check. The next check writes the loss
	 * of data into a key on the server, which other clients read.
	 */
	public void observed(ServerFacts facts) {
		Server last = this.trust.server();
		if (last.hasEvictedSince(facts)) {
			doubt("The server has evicted keys", "");
		}
		else if (last.known.durable() && !facts.durable()) {
			this.trust = sameTrustIn(last.withoutDurability());
		}
	}

	/**
	 * Trusts a server whose quarantine is over.
	 */
	public void hasWaited() {
		if (this.trust instanceof Waiting waiting) {
			this.trust = new Voted(waiting.server);
		}
	}

	/**
	 * Handles a clock step of the server. A clock step forward may have ended locks
	 * early, so the server counts as restarted. A clock step back only makes locks last
	 * longer, which is safe.
	 * @return why the server must be checked, or null if no check is needed
	 */
	public @Nullable String clockStepped(long stepMicros) {
		if (stepMicros <= 0 || !this.settings.restartGuard()) {
			return null;
		}
		String why = "The clock of the server stepped forward by " + stepMicros / 1000 + " ms, so the server may "
				+ "have forgotten locks too early";
		doubt(why, this.trust.mayExtend());
		return why;
	}

	private void doubt(String why, String mayExtend) {
		this.trust = new Unknown(DOUBTED, why, mayExtend);
	}

	private Trust trustAfterCheck(ServerFacts facts, DataHistory history) {
		Server server = new Server(history.server(facts), history.sinceMicros(), facts.evictedKeys());
		if (this.trust instanceof Unknown before) {
			return (before == FIRST && this.settings.fresh()) ? new Voted(server)
					: new Waiting(server, before, this.ticker.nanoTime());
		}
		Server last = this.trust.server();
		if (server.hasLocksOf(last, facts)) {
			return sameTrustIn(last.known.durable() ? server : server.withoutDurability());
		}
		return new Waiting(server, new Unknown(last, REPLACED, ""), this.ticker.nanoTime());
	}

	private Trust sameTrustIn(Server server) {
		return (this.trust instanceof Waiting waiting) ? new Waiting(server, waiting.before, waiting.sinceNanos)
				: new Voted(server);
	}

	private Duration remaining(Waiting server, Duration age) {
		Duration waited = Duration.ofNanos(this.ticker.nanoTime() - server.sinceNanos);
		// How long other clients have known a server counts only for the first server
		// that this client saw. A replacement server may be older but lack the locks of
		// the first server.
		Duration known = (server.before == FIRST && age.compareTo(waited) > 0) ? age : waited;
		Duration remaining = this.settings.quarantine().minus(known);
		return remaining.isNegative() ? Duration.ZERO : remaining;
	}

	/**
	 * Whether a checked node may vote.
	 *
	 * @param reason a sentence for people, empty for a ready node
	 * @param remaining how long a QUARANTINED node must wait before it votes on locks
	 * @param extendable whether a QUARANTINED node may extend locks that it already has
	 */
	public record Verdict(State state, String reason, Duration remaining, boolean extendable) {

		private static final Verdict READY = new Verdict(State.READY, "", Duration.ZERO, true);

	}

	/**
	 * How far the server of the last check is trusted to have all locks that it granted.
	 */
	private sealed interface Trust {

		Server server();

		/**
		 * Returns the id of the server that may extend its locks although its clock
		 * stepped, or an empty text.
		 */
		String mayExtend();

	}

	private record Unknown(Server server, String why, String mayExtend) implements Trust {

	}

	private record Waiting(Server server, Unknown before, long sinceNanos) implements Trust {

		@Override
		public String mayExtend() {
			return this.before.mayExtend;
		}

	}

	private record Voted(Server server) implements Trust {

		@Override
		public String mayExtend() {
			return this.server.known.id();
		}

	}

	/**
	 * A server as its last check found it.
	 */
	private record Server(KnownServer known, long sinceMicros, long evictedKeys) {

		Server withoutDurability() {
			return new Server(this.known.withoutDurability(), this.sinceMicros, this.evictedKeys);
		}

		/**
		 * After a restart, the time of the last loss of locks differs if other clients
		 * have noticed a loss that this client missed.
		 */
		boolean hasLocksOf(Server former, ServerFacts facts) {
			boolean sameProcess = this.known.process().equals(former.known.process());
			return this.known.hasLocksOf(former.known, facts.readOwnFile())
					&& (sameProcess || this.sinceMicros == former.sinceMicros);
		}

		/**
		 * If the server's number of evicted keys has fallen, the counter was reset, which
		 * may hide evictions.
		 */
		boolean hasEvictedSince(ServerFacts facts) {
			return facts.evictedKeys() != this.evictedKeys && this.known.process().equals(facts.process());
		}

	}

}

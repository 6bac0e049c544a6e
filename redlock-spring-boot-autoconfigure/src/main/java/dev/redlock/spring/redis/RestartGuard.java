package dev.redlock.spring.redis;

import java.time.Duration;

import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Scheduler;
import dev.redlock.spi.Ticker;
import dev.redlock.spring.redis.DataHistory.KnownLife;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a server that was just checked may have forgotten locks, and how long
 * it then has to wait.
 */
final class RestartGuard {

	private static final String UNKNOWN = "It has not been known to any client for longer than a lock may live";

	private static final String ANOTHER_LIFE = "It was restarted or emptied, or another server took its place";

	private static final String CONSEQUENCE = ", so it may have forgotten locks that are still held";

	/**
	 * A life that no server has, so that the next one seen is another.
	 */
	private static final String NO_LIFE = "?";

	private final NodeSettings settings;

	private final Ticker ticker;

	private @Nullable Sight lastSight;

	RestartGuard(NodeSettings settings, Ticker ticker) {
		this.settings = settings;
		this.ticker = ticker;
	}

	/**
	 * The life of the server that was seen last.
	 */
	KnownLife knownLife() {
		Sight sight = this.lastSight;
		return (sight != null) ? new KnownLife(sight.life, sight.durable) : KnownLife.NONE;
	}

	/**
	 * Judges a server. Without a history it is not asked what it remembers.
	 */
	Verdict judge(ServerFacts facts, @Nullable DataHistory history) {
		String unfit = facts.unfitBecause();
		if (unfit != null) {
			if (facts.mayEvict() && this.settings.restartGuard()) {
				forget("It could evict locks");
			}
			return Verdict.unfit(unfit);
		}
		if (history == null) {
			return Verdict.READY;
		}
		Sight last = this.lastSight;
		if (last != null && last.hasEvictedSince(facts)) {
			forget("It has evicted keys");
		}
		Sight sight = see(facts, history);
		Duration remaining = remaining(sight, history.age());
		if (remaining.isZero()) {
			voted(sight);
			return Verdict.READY;
		}
		return new Verdict(State.QUARANTINED, sight.why + CONSEQUENCE, remaining, sight);
	}

	/**
	 * A quarantine is over. Only the life that was judged has served it, if it is still
	 * the one that was seen last.
	 */
	void served(Verdict verdict) {
		Sight judged = verdict.judged;
		if (judged != null) {
			voted(judged);
		}
	}

	/**
	 * Ends a quarantine when it was served to the end. A timer may be early.
	 */
	void serve(NodeState quarantined, Verdict verdict, NodeStateHolder states, Scheduler scheduler) {
		scheduler.schedule(quarantined.remaining(this.ticker.nanoTime()), () -> {
			if (!quarantined.remaining(this.ticker.nanoTime()).isZero()) {
				serve(quarantined, verdict, states, scheduler);
			}
			else if (states.replace(quarantined, NodeState.ready(quarantined.connection()))) {
				served(verdict);
			}
		});
	}

	/**
	 * The clock of the server stepped. Forward may have ended locks early, so whatever is
	 * seen next is looked at as another life. Back makes locks last longer, which is a
	 * nuisance and no danger.
	 * @return why the server has to be checked, or null if it has not
	 */
	@Nullable String clockStepped(long stepMicros) {
		if (stepMicros <= 0 || !this.settings.restartGuard()) {
			return null;
		}
		String why = "Its clock stepped forward by " + stepMicros / 1000 + " ms, which ends locks early";
		forget(why);
		return why;
	}

	private void forget(String why) {
		this.lastSight = new Sight(NO_LIFE, why, this.ticker.nanoTime(), false, false, false, 0, Long.MAX_VALUE);
	}

	private Duration remaining(Sight sight, Duration age) {
		if (sight.voted) {
			return Duration.ZERO;
		}
		Duration waited = Duration.ofNanos(this.ticker.nanoTime() - sight.sinceNanos);
		// What others know of a server says nothing where it took the place of one that
		// this client knew: it may be old and yet not know the locks of that one.
		Duration known = (sight.first && age.compareTo(waited) > 0) ? age : waited;
		Duration remaining = this.settings.quarantine().minus(known);
		return remaining.isNegative() ? Duration.ZERO : remaining;
	}

	/**
	 * Only the last life is remembered: one that comes back after another one has served
	 * in its place does not know the locks of the other.
	 */
	private Sight see(ServerFacts facts, DataHistory history) {
		Sight sight = seen(this.lastSight, facts, history);
		this.lastSight = sight;
		return sight;
	}

	private Sight seen(@Nullable Sight last, ServerFacts facts, DataHistory history) {
		String life = history.life(facts);
		if (last == null) {
			return new Sight(life, UNKNOWN, this.ticker.nanoTime(), true, this.settings.fresh(),
					facts.durable() && history.durable(), history.sinceMicros(), facts.evictedKeys());
		}
		boolean same = last.life.equals(life);
		boolean durable = facts.durable() && history.durable() && (!same || last.durable);
		// Locks may have been lost in a life that only other clients have seen. The
		// moment that is written on the server is another one then.
		boolean kept = history.sinceMicros() == last.sinceMicros && facts.keepsLocksOf(last.durable)
				&& last.life.startsWith(history.marker().id() + " ");
		if (same || kept) {
			return new Sight(life, last.why, last.sinceNanos, last.first, last.voted, durable, history.sinceMicros(),
					facts.evictedKeys());
		}
		String why = NO_LIFE.equals(last.life) ? last.why : ANOTHER_LIFE;
		return new Sight(life, why, this.ticker.nanoTime(), false, false, durable, history.sinceMicros(),
				facts.evictedKeys());
	}

	private void voted(Sight sight) {
		if (this.lastSight == sight) {
			this.lastSight = new Sight(sight.life, sight.why, sight.sinceNanos, sight.first, true, sight.durable,
					sight.sinceMicros, sight.evictedKeys);
		}
	}

	/**
	 * What becomes of a server.
	 *
	 * @param state ready, quarantined or unfit
	 * @param reason a sentence for people
	 * @param remaining how long the quarantine lasts
	 * @param judged the life that is in quarantine
	 */
	record Verdict(State state, String reason, Duration remaining, @Nullable Sight judged) {

		static final Verdict READY = new Verdict(State.READY, "", Duration.ZERO, null);

		static Verdict unfit(String reason) {
			return new Verdict(State.UNFIT, reason, Duration.ZERO, null);
		}

	}

	/**
	 * What was seen last.
	 *
	 * @param life the name of the life
	 * @param why why it has to wait, if it has to
	 * @param sinceNanos when it was seen for the first time
	 * @param first whether no other was seen before
	 * @param voted whether it has voted
	 * @param durable whether it was durable whenever this client looked
	 * @param sinceMicros the moment from which on it had kept all its locks
	 * @param evictedKeys how many keys it had evicted by then
	 */
	record Sight(String life, String why, long sinceNanos, boolean first, boolean voted, boolean durable,
			long sinceMicros, long evictedKeys) {

		/**
		 * A count that went back was reset, and may hide what came before. Another
		 * process counts from zero, and is judged as another life.
		 */
		boolean hasEvictedSince(ServerFacts facts) {
			return facts.evictedKeys() != this.evictedKeys && this.life.endsWith(" " + facts.incarnation());
		}

	}

}

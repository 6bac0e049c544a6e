package dev.redlock.spring.redis;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Scheduler;
import dev.redlock.spi.Ticker;
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

	private final AtomicReference<@Nullable Sight> lastSight = new AtomicReference<>();

	RestartGuard(NodeSettings settings, Ticker ticker) {
		this.settings = settings;
		this.ticker = ticker;
	}

	/**
	 * The life of the server that was seen last, or nothing before the first one.
	 */
	String knownLife() {
		Sight sight = this.lastSight.get();
		return (sight != null) ? sight.life : "";
	}

	/**
	 * Judges a server. Without a sighting it is not asked what it remembers.
	 */
	Verdict judge(ServerFacts facts, @Nullable Sighting sighting) {
		String unfit = facts.unfitBecause();
		if (unfit != null) {
			if (facts.mayEvict() && this.settings.restartGuard()) {
				forget("It could evict locks");
			}
			return new Verdict(State.UNFIT, unfit, Duration.ZERO);
		}
		if (sighting == null) {
			return Verdict.READY;
		}
		Sight sight = see(facts, sighting);
		Duration remaining = remaining(sight, sighting.age());
		if (remaining.isZero()) {
			voted(sight);
			return Verdict.READY;
		}
		return new Verdict(State.QUARANTINED, sight.why + CONSEQUENCE, remaining);
	}

	/**
	 * The quarantine of the server that was seen last is over.
	 */
	void served() {
		Sight sight = this.lastSight.get();
		if (sight != null) {
			voted(sight);
		}
	}

	/**
	 * Ends a quarantine when it was served to the end. A timer may be early.
	 */
	void serve(Standing quarantined, StandingBoard board, Scheduler scheduler) {
		serve(quarantined, this.lastSight.get(), board, scheduler);
	}

	/**
	 * Whoever hears of the end may take his time, and another life of the server be seen
	 * meanwhile: only the one that was judged has served.
	 */
	private void serve(Standing quarantined, @Nullable Sight judged, StandingBoard board, Scheduler scheduler) {
		scheduler.schedule(quarantined.remaining(this.ticker.nanoTime()), () -> {
			if (!quarantined.remaining(this.ticker.nanoTime()).isZero()) {
				serve(quarantined, judged, board, scheduler);
			}
			else if (board.replace(quarantined, Standing.ready(quarantined.links())) && judged != null) {
				voted(judged);
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
		this.lastSight.set(new Sight(NO_LIFE, why, this.ticker.nanoTime(), false, false));
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
	@SuppressWarnings("NullAway") // The update never answers null.
	private Sight see(ServerFacts facts, Sighting sighting) {
		String life = sighting.life(facts);
		return this.lastSight.updateAndGet((last) -> {
			if (last == null) {
				return new Sight(life, UNKNOWN, this.ticker.nanoTime(), true, this.settings.fresh());
			}
			boolean same = last.life.equals(life)
					|| (facts.losesNothing() && last.life.startsWith(sighting.marker().id() + " "));
			if (same) {
				return new Sight(life, last.why, last.sinceNanos, last.first, last.voted);
			}
			String why = NO_LIFE.equals(last.life) ? last.why : ANOTHER_LIFE;
			return new Sight(life, why, this.ticker.nanoTime(), false, false);
		});
	}

	private void voted(Sight sight) {
		this.lastSight.compareAndSet(sight, new Sight(sight.life, sight.why, sight.sinceNanos, sight.first, true));
	}

	/**
	 * What becomes of a server.
	 *
	 * @param state ready, quarantined or unfit
	 * @param reason a sentence for people
	 * @param remaining how long the quarantine lasts
	 */
	record Verdict(State state, String reason, Duration remaining) {

		static final Verdict READY = new Verdict(State.READY, "", Duration.ZERO);

	}

	/**
	 * What was seen last.
	 *
	 * @param life the name of the life
	 * @param why why it has to wait, if it has to
	 * @param sinceNanos when it was seen for the first time
	 * @param first whether no other was seen before
	 * @param voted whether it has voted
	 */
	private record Sight(String life, String why, long sinceNanos, boolean first, boolean voted) {

	}

}

package dev.redlock.sim;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import dev.redlock.sim.Plan.Weakness;
import dev.redlock.sim.SimMarker.Sighting;
import dev.redlock.spi.Ticker;

/**
 * What one client knows of the life of one server, and whether it lets it vote: the rules
 * of the restart guard and of the watch over clocks, on a smaller scale of time.
 */
public final class SimGuard {

	/**
	 * A shorter bound than in production, since ttls are shorter.
	 */
	private static final Duration STEP_BOUND = Duration.ofMillis(40);

	private static final Duration MARGIN = Duration.ofMillis(500);

	private static final String NO_LIFE = "?";

	private static final long REST_MICROS = 100_000;

	private static final int MICROS_PER_DRIFT = 1000;

	private final Ticker clock;

	private final Weakness weakness;

	private final long quarantineNanos;

	private final long stepBoundMicros;

	private String life = "";

	private long sinceNanos;

	private boolean first;

	private boolean voted;

	private long untilNanos;

	private String watched = "";

	private int doubts;

	private Range last;

	/**
	 * A guard without a weakness.
	 * @param clock the clock of the client
	 * @param maxTtl the longest life of a lock
	 * @param stepBound the least step of a server's clock that is noticed
	 */
	public SimGuard(Ticker clock, Duration maxTtl, Duration stepBound) {
		this(clock, maxTtl, stepBound, Weakness.NONE);
	}

	private SimGuard(Ticker clock, Duration maxTtl, Duration stepBound, Weakness weakness) {
		this.clock = clock;
		this.weakness = weakness;
		this.quarantineNanos = (long) (maxTtl.toNanos() * 1.01) + MARGIN.toNanos();
		this.stepBoundMicros = TimeUnit.NANOSECONDS.toMicros(stepBound.toNanos());
	}

	static SimGuard of(Ticker clock, Duration maxTtl, Weakness weakness) {
		return new SimGuard(clock, maxTtl, STEP_BOUND, weakness);
	}

	/**
	 * The life that was seen last, empty before the first one.
	 * @return the name of the life
	 */
	public String knownLife() {
		return this.life;
	}

	/**
	 * A server that this client has let vote for long, and whose clock it knows.
	 */
	void knowsForLong(Sighting seen) {
		this.life = seen.life();
		this.first = true;
		this.voted = true;
		this.watched = seen.incarnation();
		told(this.clock.nanoTime(), seen.serverMicros());
	}

	/**
	 * Judges a server that was looked at.
	 * @param seen what was found out
	 */
	public void judge(Sighting seen) {
		if (!seen.incarnation().equals(this.watched)) {
			this.watched = seen.incarnation();
			// One that keeps its locks over a restart keeps its clock, too.
			this.last = seen.losesNothing() ? this.last : null;
		}
		boolean same = this.life.equals(seen.life())
				|| (seen.losesNothing() && this.life.startsWith(seen.marker() + " "));
		if (!same) {
			this.first = this.life.isEmpty();
			this.voted = false;
			this.sinceNanos = this.clock.nanoTime();
		}
		this.life = seen.life();
		boolean believed = this.weakness == Weakness.NO_QUARANTINE || this.weakness == Weakness.REPLAY
				|| (this.weakness == Weakness.NO_AGE && this.first);
		this.voted = this.voted || believed;
		long ageNanos = TimeUnit.MICROSECONDS.toNanos(Math.min(seen.serverMicros() - seen.sinceServerMicros(),
				this.clock.epochMicros() - seen.sinceClientMicros()));
		// What others know of a server counts at first sight only.
		long known = this.first ? Math.max(0, ageNanos) : 0;
		this.untilNanos = Math.min(this.sinceNanos, this.clock.nanoTime() - known) + this.quarantineNanos;
	}

	/**
	 * Whether the server votes by now.
	 * @return false while it is in quarantine
	 */
	public boolean letsVote() {
		if (!this.voted && this.clock.nanoTime() - this.untilNanos >= 0) {
			this.voted = true;
		}
		return this.voted;
	}

	/**
	 * Takes note of the server's time.
	 * @param sentNanos when it was asked for
	 * @param serverMicros what the server said
	 * @return whether the server has to be doubted because its clock stepped forward
	 */
	public boolean told(long sentNanos, long serverMicros) {
		long now = TimeUnit.NANOSECONDS.toMicros(this.clock.nanoTime());
		Range range = new Range(serverMicros - now, serverMicros - TimeUnit.NANOSECONDS.toMicros(sentNanos), now);
		Range before = this.last;
		if (before == null) {
			this.last = range;
			return false;
		}
		long allowance = this.stepBoundMicros + Math.abs(now - before.atMicros) / MICROS_PER_DRIFT;
		boolean forward = range.low - before.high > allowance;
		boolean stepped = forward || before.low - range.high > allowance;
		boolean narrow = range.high - range.low <= this.stepBoundMicros;
		if (stepped || (narrow && now - before.atMicros >= REST_MICROS)) {
			this.last = range;
		}
		if (!forward || this.weakness == Weakness.NO_CLOCK_WATCH) {
			return false;
		}
		this.doubts++;
		this.life = NO_LIFE;
		this.voted = false;
		this.untilNanos = Long.MAX_VALUE;
		return true;
	}

	/**
	 * How often the clock of the server has made it doubtful.
	 */
	int doubts() {
		return this.doubts;
	}

	/**
	 * The distance between the two clocks at one moment: at least, at most, and when.
	 */
	private record Range(long low, long high, long atMicros) {

	}

}

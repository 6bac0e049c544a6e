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
	 * Shorter than in production, since ttls are shorter.
	 */
	static final Duration LEAST_STEP = Duration.ofMillis(10);

	/**
	 * Clocks of the simulation differ by more than real ones do.
	 */
	private static final int MICROS_PER_DRIFT = 100;

	private static final Duration MARGIN = Duration.ofMillis(500);

	static final String NO_LIFE = "?";

	private final Ticker clock;

	private final Weakness weakness;

	private final long quarantineNanos;

	private final long leastStepMicros;

	private final int microsPerDrift;

	private final long windowMicros;

	private final long mostMicros;

	private String life = "";

	private boolean durable;

	private long sinceMicros;

	private long sinceNanos;

	private boolean first;

	private boolean voted;

	private long untilNanos;

	private String watched = "";

	private boolean watchedDurable;

	private int doubts;

	private Range lowest;

	private Range lowestBefore;

	private long windowStartMicros;

	/**
	 * A guard without a weakness.
	 * @param clock the clock of the client
	 * @param maxTtl the longest life of a lock
	 * @param leastStep the least step of a server's clock that is noticed
	 * @param microsPerDrift in how many microseconds clocks may gain one on each other
	 * @param pause the longest time without an answer
	 */
	public SimGuard(Ticker clock, Duration maxTtl, Duration leastStep, int microsPerDrift, Duration pause) {
		this(clock, maxTtl, leastStep, microsPerDrift, pause, Weakness.NONE);
	}

	private SimGuard(Ticker clock, Duration maxTtl, Duration leastStep, int microsPerDrift, Duration pause,
			Weakness weakness) {
		this.clock = clock;
		this.weakness = weakness;
		this.quarantineNanos = (long) (maxTtl.toNanos() * 1.01) + MARGIN.toNanos();
		this.leastStepMicros = TimeUnit.NANOSECONDS.toMicros(leastStep.toNanos());
		this.microsPerDrift = microsPerDrift;
		this.windowMicros = TimeUnit.NANOSECONDS.toMicros(maxTtl.toNanos());
		this.mostMicros = TimeUnit.NANOSECONDS
			.toMicros(leastStep.toNanos() + 2 * maxTtl.plus(pause).toNanos() / microsPerDrift);
	}

	static SimGuard of(Ticker clock, Duration maxTtl, Weakness weakness) {
		return new SimGuard(clock, maxTtl, LEAST_STEP, MICROS_PER_DRIFT, SimLink.LONGEST_PAUSE, weakness);
	}

	/**
	 * By how much a clock can gain while a lock lives, and not be noticed.
	 * @param pause the longest time without an answer
	 * @param roundTrip how long an answer takes, which hides a step too
	 */
	static Duration unnoticed(Duration maxTtl, Duration pause, Duration roundTrip) {
		return LEAST_STEP.plus(maxTtl.plus(pause).multipliedBy(2).dividedBy(MICROS_PER_DRIFT))
			.plus(roundTrip.multipliedBy(2));
	}

	/**
	 * The life that was seen last, empty before the first one.
	 * @return the name of the life
	 */
	public String knownLife() {
		return this.life;
	}

	/**
	 * Whether the life that was seen last was durable whenever this client looked.
	 * @return false also before the first life
	 */
	public boolean knownDurable() {
		return this.durable;
	}

	/**
	 * A server that this client has let vote for long, and whose clock it knows.
	 */
	void knowsForLong(Sighting seen) {
		this.life = seen.life();
		this.durable = seen.durable();
		this.sinceMicros = seen.sinceClientMicros();
		this.first = true;
		this.voted = true;
		this.watched = seen.incarnation();
		this.watchedDurable = seen.writesAll();
		told(this.clock.nanoTime(), seen.serverMicros());
	}

	/**
	 * Judges a server that was looked at.
	 * @param seen what was found out
	 */
	public void judge(Sighting seen) {
		if (!seen.incarnation().equals(this.watched) && !(this.watchedDurable && seen.ownFile())) {
			this.lowest = null;
		}
		this.watched = seen.incarnation();
		this.watchedDurable = seen.writesAll();
		boolean sameLife = this.life.equals(seen.life());
		boolean vouched = (this.weakness == Weakness.NEW_LIFE_VOUCHES) ? seen.writesAll()
				: this.durable && seen.ownFile()
						&& (seen.sinceClientMicros() == this.sinceMicros || this.weakness == Weakness.OWN_WORD);
		if (!sameLife && !(vouched && this.life.startsWith(seen.marker() + " "))) {
			this.first = this.life.isEmpty();
			this.voted = false;
			this.sinceNanos = this.clock.nanoTime();
		}
		this.durable = seen.durable() && (!sameLife || this.durable);
		this.sinceMicros = seen.sinceClientMicros();
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
		boolean forward = this.lowest != null && (isAhead(range, this.lowest) || isAhead(range, this.lowestBefore));
		boolean stepped = forward || (this.lowest != null && isAhead(this.lowest, range));
		if (this.lowest == null || stepped || this.weakness == Weakness.REBASED) {
			this.lowest = range;
			this.lowestBefore = range;
			this.windowStartMicros = now;
		}
		else if (now - this.windowStartMicros >= this.windowMicros) {
			this.lowestBefore = this.lowest;
			this.lowest = range;
			this.windowStartMicros = now;
		}
		else if (range.high < this.lowest.high) {
			this.lowest = range;
		}
		if (!forward || this.weakness == Weakness.NO_CLOCK_WATCH) {
			return false;
		}
		this.doubts++;
		forget();
		return true;
	}

	/**
	 * Something was seen that may have ended locks.
	 */
	void forget() {
		this.life = NO_LIFE;
		this.durable = false;
		this.sinceMicros = 0;
		this.voted = false;
		this.untilNanos = Long.MAX_VALUE;
	}

	private boolean isAhead(Range one, Range other) {
		return one.low - other.high > Math.min(this.mostMicros,
				this.leastStepMicros + Math.abs(one.atMicros - other.atMicros) / this.microsPerDrift);
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

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

	private Range last;

	private Range unjudged;

	private boolean askedAgain;

	/** The life that had voted when its clock stepped. */
	private String keeps = "";

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
			this.last = null;
			this.unjudged = null;
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
	 * Whether the server may extend what it has: always if it votes, and also if it is
	 * the process whose clock stepped.
	 * @return false if it may have lost what it had
	 */
	public boolean mayExtend() {
		return letsVote() || (!this.keeps.isEmpty() && (this.life.equals(this.keeps) || this.life.equals(NO_LIFE)));
	}

	/**
	 * Takes note of the server's time.
	 * @param sentNanos when it was asked for
	 * @param serverMicros what the server said
	 * @return whether its clock seems to have stepped forward, so that the answer has to
	 * be judged
	 */
	public boolean told(long sentNanos, long serverMicros) {
		return compare(range(sentNanos, serverMicros));
	}

	/**
	 * Keeps the server's time until it is judged.
	 */
	void keep(long sentNanos, long serverMicros) {
		Range range = range(sentNanos, serverMicros);
		this.unjudged = this.askedAgain ? this.unjudged.and(range, this.microsPerDrift) : range;
		this.askedAgain = true;
	}

	/**
	 * What its clock has gained since the last answer that was not kept; null if that is
	 * not known.
	 */
	Gain gain() {
		if (this.last == null || this.unjudged == null) {
			return null;
		}
		long drift = (this.unjudged.atMicros - this.last.atMicros) / this.microsPerDrift;
		return new Gain(this.unjudged.low - this.last.high - drift, this.unjudged.high - this.last.low,
				this.unjudged.fromWall() < this.last.fromWall());
	}

	/**
	 * Judges the answer that was kept.
	 * @param missedMicros the time that the client has missed
	 * @return whether the server has to be doubted because its clock stepped forward
	 */
	public boolean judge(long missedMicros) {
		if (this.lowest != null) {
			this.lowest = this.lowest.plus(missedMicros);
			this.lowestBefore = this.lowestBefore.plus(missedMicros);
			this.last = this.last.plus(missedMicros);
		}
		Range kept = this.unjudged;
		this.unjudged = null;
		this.askedAgain = false;
		if (kept == null || !compare(kept)) {
			return false;
		}
		this.unjudged = null;
		startWith(kept);
		if (this.weakness == Weakness.NO_CLOCK_WATCH) {
			return false;
		}
		this.doubts++;
		String former = this.voted ? this.life : this.keeps;
		forget();
		this.keeps = former;
		return true;
	}

	/**
	 * Something was seen that may have ended locks.
	 */
	void forget() {
		this.life = NO_LIFE;
		this.keeps = "";
		this.durable = false;
		this.sinceMicros = 0;
		this.voted = false;
		this.untilNanos = Long.MAX_VALUE;
	}

	private boolean compare(Range range) {
		boolean forward = this.lowest != null && (isAhead(range, this.lowest) || isAhead(range, this.lowestBefore));
		if (forward) {
			this.unjudged = range;
			return true;
		}
		boolean back = this.lowest != null && isAhead(this.lowest, range);
		this.last = (this.last == null) ? range : this.last.and(range, this.microsPerDrift);
		if (this.lowest == null || back || this.weakness == Weakness.REBASED) {
			startWith(range);
		}
		else if (range.atMicros - this.windowStartMicros >= this.windowMicros) {
			this.lowestBefore = this.lowest;
			this.lowest = range;
			this.windowStartMicros = range.atMicros;
		}
		else if (range.high < this.lowest.high) {
			this.lowest = range;
		}
		return false;
	}

	private void startWith(Range range) {
		this.lowest = range;
		this.lowestBefore = range;
		this.windowStartMicros = range.atMicros;
		this.last = range;
	}

	private Range range(long sentNanos, long serverMicros) {
		long now = TimeUnit.NANOSECONDS.toMicros(this.clock.nanoTime());
		return new Range(serverMicros - now, serverMicros - TimeUnit.NANOSECONDS.toMicros(sentNanos), now,
				this.clock.epochMicros() - now);
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
	 * The distance between the two clocks at one moment: at least, at most, and when; and
	 * the distance between the two clocks of the client.
	 */
	private record Range(long low, long high, long atMicros, long wallMicros) {

		Range plus(long micros) {
			return new Range(this.low + micros, this.high + micros, this.atMicros, this.wallMicros);
		}

		Range and(Range later, int microsPerDrift) {
			long drift = (later.atMicros - this.atMicros) / microsPerDrift;
			long least = Math.max(this.low - drift, later.low);
			long most = Math.min(this.high + drift, later.high);
			return (least <= most) ? new Range(least, most, later.atMicros, later.wallMicros) : later;
		}

		long fromWall() {
			return Math.abs((this.low + this.high) / 2 - this.wallMicros);
		}

	}

	/**
	 * What a clock has gained: at least, at most, and whether it is closer to the wall
	 * clock of the client than before.
	 */
	record Gain(long least, long most, boolean correction) {

	}

}

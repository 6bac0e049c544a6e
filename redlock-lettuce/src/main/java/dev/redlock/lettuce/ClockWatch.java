package dev.redlock.lettuce;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import dev.redlock.spi.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * Notices when the clock of a server steps against the monotonic clock of this client.
 * <p>
 * A server reads its clock between the sending of a command and the arrival of the
 * answer, so each answer gives a range for the distance of the two clocks. Only ranges
 * that do not overlap show a step. A slow answer alone does not.
 * <p>
 * If a server's clock gains some time while a lock lives, the lock ends earlier by that
 * time. So each answer is compared with the lowest distance of the last {@code max-ttl},
 * and many small steps count as much as a large one.
 */
final class ClockWatch {

	/**
	 * A smaller step cannot be distinguished from the usual correction of a clock.
	 */
	static final Duration LEAST_STEP = Duration.ofMillis(50);

	/**
	 * Two clocks drift apart by less than one microsecond in so many.
	 */
	static final int MICROS_PER_DRIFT = 5000;

	private final Ticker ticker;

	private final long originNanos;

	private final long windowMicros;

	private final long mostMicros;

	private @Nullable ServerFacts server;

	private @Nullable Window window;

	/** The distance by the last answers that showed no step. */
	private @Nullable Range last;

	/** The distance by answers that are not judged yet, as a step may be a pause. */
	private @Nullable Range unjudged;

	/** Whether the server was asked again since it seemed to step. */
	private boolean askedAgain;

	ClockWatch(NodeSettings settings, Ticker ticker) {
		this.ticker = ticker;
		this.originNanos = ticker.nanoTime();
		this.windowMicros = micros(settings.maxTtl());
		this.mostMicros = micros(NodeSettings.clockStep(settings.maxTtl()));
	}

	/**
	 * Returns how much a clock can gain during the life of a lock without being noticed.
	 * @param maxTtl the longest life of a lock
	 * @param pause the longest time without an answer
	 */
	static Duration unnoticed(Duration maxTtl, Duration pause) {
		// The lowest distance is from this window or the one before.
		return LEAST_STEP.plus(maxTtl.dividedBy(MICROS_PER_DRIFT / 2)).plus(pause.dividedBy(MICROS_PER_DRIFT / 2));
	}

	/**
	 * Sets the server that answers from now on. The clock of another server is compared
	 * anew, unless that server has the locks of the former one. A step in between may
	 * have ended those early.
	 */
	void turnTo(ServerFacts next) {
		ServerFacts former = this.server;
		if (former == null || !(former.runId().equals(next.runId()) || next.keepsLocksOf(former.durable()))) {
			this.window = null;
			this.last = null;
			this.unjudged = null;
		}
		this.server = next;
	}

	/**
	 * Compares an answer with the ones before. An answer that shows a step forward waits
	 * for {@link #judge}.
	 * @param sentNanos when the server was asked, by the monotonic clock
	 * @param serverMicros the time that the server answered
	 * @return the microseconds by which its clock stepped, negative if it stepped back,
	 * or zero
	 */
	long observe(long sentNanos, long serverMicros) {
		return compare(range(sentNanos, serverMicros));
	}

	/**
	 * Keeps an answer until it is known whether this client has missed time.
	 */
	void keep(long sentNanos, long serverMicros) {
		Range range = range(sentNanos, serverMicros);
		Range kept = this.unjudged;
		this.unjudged = (kept != null && this.askedAgain) ? kept.and(range) : range;
		this.askedAgain = true;
	}

	/**
	 * Returns what the server's clock has gained from the last answer to the one that is
	 * kept, or null if one of them is missing.
	 */
	@Nullable Gain gain() {
		Range before = this.last;
		Range now = this.unjudged;
		if (before == null || now == null) {
			return null;
		}
		long drift = (now.atMicros - before.atMicros) / MICROS_PER_DRIFT;
		return new Gain(now.low - before.high - drift, now.high - before.low, now.fromWall() < before.fromWall());
	}

	/**
	 * Judges the answer that is kept, if there is one, and compares with it from now on.
	 * @param missedMicros the time that this client has missed before that answer
	 * @return the microseconds by which the server's clock stepped forward, or zero
	 */
	long judge(long missedMicros) {
		Window known = this.window;
		Range before = this.last;
		this.window = (known != null) ? known.plus(missedMicros) : null;
		this.last = (before != null) ? before.plus(missedMicros) : null;
		Range kept = this.unjudged;
		this.unjudged = null;
		this.askedAgain = false;
		long step = (kept != null) ? Math.max(0, compare(kept)) : 0;
		if (kept != null && step != 0) {
			this.window = Window.startingWith(kept);
			this.last = kept;
			this.unjudged = null;
		}
		return step;
	}

	private long compare(Range range) {
		Window known = this.window;
		if (known == null) {
			this.window = Window.startingWith(range);
			this.last = range;
			return 0;
		}
		long step = known.step(range, this.mostMicros);
		if (step > 0) {
			this.unjudged = range;
			return step;
		}
		Range before = this.last;
		this.last = (before != null) ? before.and(range) : range;
		if (step != 0) {
			this.window = Window.startingWith(range);
		}
		else if (range.atMicros - known.startMicros >= this.windowMicros) {
			this.window = new Window(range, known.lowest, range.atMicros);
		}
		else if (range.high < known.lowest.high) {
			this.window = new Window(range, known.lowestBefore, known.startMicros);
		}
		return step;
	}

	private Range range(long sentNanos, long serverMicros) {
		long now = sinceOrigin(this.ticker.nanoTime());
		return new Range(serverMicros - now, serverMicros - sinceOrigin(sentNanos), now,
				this.ticker.epochMicros() - now);
	}

	private long sinceOrigin(long nanos) {
		return TimeUnit.NANOSECONDS.toMicros(nanos - this.originNanos);
	}

	private static long micros(Duration duration) {
		return TimeUnit.NANOSECONDS.toMicros(duration.toNanos());
	}

	/**
	 * The lowest distances between the two clocks in this window and in the one before.
	 *
	 * @param lowest the lowest since the start of this window
	 * @param lowestBefore the lowest of the window before, which was as long
	 * @param startMicros the start of this window, by the monotonic clock
	 */
	private record Window(Range lowest, Range lowestBefore, long startMicros) {

		static Window startingWith(Range range) {
			return new Window(range, range, range.atMicros);
		}

		/**
		 * Returns how much the distance has changed, or zero if drift explains the
		 * change. Drift explains at most the time that is taken off the validity of
		 * leases, no matter how old the last answer is.
		 */
		long step(Range now, long mostMicros) {
			long forward = Math.max(this.lowest.risenTo(now, mostMicros), this.lowestBefore.risenTo(now, mostMicros));
			return (forward != 0) ? forward : -this.lowest.fallenTo(now, mostMicros);
		}

		Window plus(long micros) {
			return new Window(this.lowest.plus(micros), this.lowestBefore.plus(micros), this.startMicros);
		}

	}

	/**
	 * The distance between the two clocks at one moment.
	 *
	 * @param low the least distance
	 * @param high the greatest distance
	 * @param atMicros the moment, by the monotonic clock
	 * @param wallMicros the distance between the two clocks of this client
	 */
	private record Range(long low, long high, long atMicros, long wallMicros) {

		Range plus(long micros) {
			return new Range(this.low + micros, this.high + micros, this.atMicros, this.wallMicros);
		}

		/**
		 * Returns the range that explains a later answer too, or the later one alone.
		 */
		Range and(Range later) {
			long drift = (later.atMicros - this.atMicros) / MICROS_PER_DRIFT;
			long least = Math.max(this.low - drift, later.low);
			long greatest = Math.min(this.high + drift, later.high);
			return (least <= greatest) ? new Range(least, greatest, later.atMicros, later.wallMicros) : later;
		}

		/**
		 * Returns how far the server's clock is from the wall clock of this client.
		 */
		long fromWall() {
			return Math.abs((this.low + this.high) / 2 - this.wallMicros);
		}

		long risenTo(Range later, long mostMicros) {
			return beyondDrift(later.low - this.high, later.atMicros, mostMicros);
		}

		long fallenTo(Range later, long mostMicros) {
			return beyondDrift(this.low - later.high, later.atMicros, mostMicros);
		}

		private long beyondDrift(long apart, long nowMicros, long mostMicros) {
			long drift = micros(LEAST_STEP) + (nowMicros - this.atMicros) / MICROS_PER_DRIFT;
			return (apart > Math.min(drift, mostMicros)) ? apart : 0;
		}

	}

	/**
	 * What a server's clock has gained on the monotonic clock of this client.
	 *
	 * @param least the least gain in microseconds that explains the answers, without what
	 * drift explains
	 * @param most the greatest gain in microseconds that explains them
	 * @param correction whether the server's clock is closer than before to the wall
	 * clock of this client, so it may have been set right
	 */
	record Gain(long least, long most, boolean correction) {

		Gain and(Gain other) {
			return new Gain(Math.min(this.least, other.least), Math.max(this.most, other.most),
					this.correction || other.correction);
		}

	}

}

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
 * that do not overlap show a step, so a slow answer alone shows no step.
 * <p>
 * If a server's clock gains some time while a lock lives, the lock ends earlier by that
 * time. Each answer is therefore compared with the lowest distance of the last
 * {@code max-ttl}, and many small steps count as much as a large step.
 */
final class ClockWatch {

	/**
	 * The smallest step that counts. A smaller step cannot be distinguished from the
	 * usual correction of a clock.
	 */
	static final Duration LEAST_STEP = Duration.ofMillis(50);

	/**
	 * The number of microseconds in which two clocks drift apart by less than one
	 * microsecond.
	 */
	static final int MICROS_PER_DRIFT = 5000;

	private static final Duration RECENT = Duration.ofSeconds(20);

	private final Ticker ticker;

	private final long originNanos;

	private final long windowMicros;

	private final long mostMicros;

	private @Nullable ServerFacts server;

	private @Nullable Window window;

	/** The lowest distances in a shorter window, so that drift hides less of a pause. */
	private @Nullable Window recent;

	/**
	 * The distance according to answers that are not judged yet, because an apparent step
	 * may be a pause of this process.
	 */
	private @Nullable Range unjudged;

	/**
	 * The moment before which a question was too early for its answer to say anything
	 * about a pause.
	 */
	private @Nullable Range early;

	/** Whether the server was asked again since its clock seemed to step. */
	private boolean askedAgain;

	ClockWatch(NodeSettings settings, Ticker ticker) {
		this.ticker = ticker;
		this.originNanos = ticker.nanoTime();
		this.windowMicros = micros(settings.maxTtl());
		this.mostMicros = micros(NodeSettings.clockStep(settings.maxTtl()));
	}

	/**
	 * Returns how much a clock can gain unnoticed during the ttl of a lock.
	 * @param maxTtl the longest ttl of a lock
	 * @param pause the longest time without an answer
	 */
	static Duration unnoticed(Duration maxTtl, Duration pause) {
		// The lowest distance is from this window or the previous window.
		return LEAST_STEP.plus(maxTtl.dividedBy(MICROS_PER_DRIFT / 2)).plus(pause.dividedBy(MICROS_PER_DRIFT / 2));
	}

	/**
	 * Sets the server that answers from now on. The comparison starts anew for another
	 * server. A server that has the locks of the former server keeps the comparison,
	 * because a step in between may have ended those locks early.
	 */
	void turnTo(ServerFacts next) {
		ServerFacts former = this.server;
		if (former == null || !(former.runId().equals(next.runId()) || next.keepsLocksOf(former.durable()))) {
			this.window = null;
			this.recent = null;
			this.unjudged = null;
			this.early = null;
		}
		this.server = next;
	}

	/**
	 * Compares an answer with the earlier answers. An answer that shows a step forward
	 * waits for {@link #judge}.
	 * @param sentNanos when the server was asked, by the monotonic clock
	 * @param serverMicros the time in the answer of the server
	 * @return the microseconds by which its clock stepped, negative for a step back, or
	 * zero
	 */
	long observe(long sentNanos, long serverMicros) {
		return compare(range(sentNanos, serverMicros));
	}

	/**
	 * Keeps an answer until the detector of pauses knows whether this client has missed
	 * time.
	 */
	void keep(long sentNanos, long serverMicros) {
		Range range = range(sentNanos, serverMicros);
		Range kept = this.unjudged;
		this.unjudged = (kept != null && this.askedAgain) ? kept.and(range) : range;
		this.askedAgain = true;
	}

	/**
	 * Keeps an answer that may have been sent before a pause.
	 */
	void keepEarly(long sentNanos, long serverMicros) {
		this.early = range(sentNanos, serverMicros);
	}

	/**
	 * Returns what the server's clock has gained, according to the kept answer, or null
	 * without an earlier answer for comparison.
	 * @param lately only within the last seconds, so that drift hides less of the gain
	 */
	@Nullable Gain gain(boolean lately) {
		Window since = lately ? this.recent : this.window;
		return (since != null && this.unjudged != null) ? since.gain(this.unjudged) : null;
	}

	/**
	 * Judges the kept answer, if any. Later answers are compared with this answer.
	 * @param missedMicros the time that this client has missed before the kept answer
	 * @return the microseconds by which the server's clock stepped forward, or zero
	 */
	long judge(long missedMicros) {
		if (this.window != null && this.recent != null) {
			this.window = this.window.plus(missedMicros, wallMicros());
			this.recent = this.recent.plus(missedMicros, wallMicros());
		}
		Range kept = (this.unjudged != null || missedMicros != 0) ? this.unjudged : this.early;
		long step = (kept != null) ? Math.max(0, compare(kept)) : 0;
		if (kept != null && step != 0) {
			startWith(kept);
		}
		this.unjudged = null;
		this.early = null;
		this.askedAgain = false;
		return step;
	}

	private long compare(Range range) {
		Window known = this.window;
		Window recent = this.recent;
		if (known == null || recent == null) {
			startWith(range);
			return 0;
		}
		long step = known.step(range, this.mostMicros);
		if (step > 0) {
			this.unjudged = range;
		}
		else if (step < 0) {
			startWith(range);
		}
		else {
			this.window = known.with(range);
			this.recent = recent.with(range);
		}
		return step;
	}

	private void startWith(Range range) {
		this.window = new Window(range, range, range.atMicros, this.windowMicros);
		this.recent = new Window(range, range, range.atMicros, micros(RECENT));
	}

	private Range range(long sentNanos, long serverMicros) {
		long now = sinceOrigin(this.ticker.nanoTime());
		return new Range(serverMicros - now, serverMicros - sinceOrigin(sentNanos), now, wallMicros());
	}

	private long wallMicros() {
		return this.ticker.epochMicros() - sinceOrigin(this.ticker.nanoTime());
	}

	private long sinceOrigin(long nanos) {
		return TimeUnit.NANOSECONDS.toMicros(nanos - this.originNanos);
	}

	private static long micros(Duration duration) {
		return TimeUnit.NANOSECONDS.toMicros(duration.toNanos());
	}

	/**
	 * The lowest distances between the two clocks in this window and in the previous
	 * window.
	 *
	 * @param lowest the lowest distance since the start of this window
	 * @param lowestBefore the lowest distance of the previous window, which was as long
	 * @param startMicros the start of this window, by the monotonic clock
	 * @param lengthMicros the length of each window
	 */
	private record Window(Range lowest, Range lowestBefore, long startMicros, long lengthMicros) {

		/**
		 * Returns how much the distance has changed, or zero if drift explains the
		 * change. Drift explains at most the time by which it shortens the validity of
		 * leases, no matter how old the last answer is.
		 */
		long step(Range now, long mostMicros) {
			long forward = Math.max(this.lowest.risenTo(now, mostMicros), this.lowestBefore.risenTo(now, mostMicros));
			return (forward != 0) ? forward : -this.lowest.fallenTo(now, mostMicros);
		}

		Gain gain(Range now) {
			return this.lowest.gain(now).orHigher(this.lowestBefore.gain(now));
		}

		Window with(Range now) {
			return (now.atMicros - this.startMicros >= this.lengthMicros)
					? new Window(now, this.lowest, now.atMicros, this.lengthMicros)
					: new Window(this.lowest.lower(now), this.lowestBefore, this.startMicros, this.lengthMicros);
		}

		Window plus(long micros, long wallMicros) {
			return new Window(this.lowest.plus(micros, wallMicros), this.lowestBefore.plus(micros, wallMicros),
					this.startMicros, this.lengthMicros);
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

		Range plus(long micros, long wallMicros) {
			return (micros != 0) ? new Range(this.low + micros, this.high + micros, this.atMicros, wallMicros) : this;
		}

		/**
		 * Returns the part of both ranges that explains both answers, or the later range
		 * if the ranges do not overlap.
		 */
		Range and(Range later) {
			long drift = driftTo(later);
			long least = Math.max(this.low - drift, later.low);
			long greatest = Math.min(this.high + drift, later.high);
			return (least <= greatest) ? new Range(least, greatest, later.atMicros, later.wallMicros) : later;
		}

		/**
		 * Returns the lower of two ranges, made narrower by the other range.
		 */
		Range lower(Range later) {
			if (later.high < this.high) {
				return and(later);
			}
			long least = later.low - driftTo(later);
			return (least > this.low && least <= this.high)
					? new Range(least, this.high, this.atMicros, this.wallMicros) : this;
		}

		Gain gain(Range later) {
			long least = later.low - this.high - driftTo(later);
			return new Gain(least, later.high - this.low, fromWall() - later.fromWall() > least / 2);
		}

		private long driftTo(Range later) {
			return (later.atMicros - this.atMicros) / MICROS_PER_DRIFT;
		}

		/**
		 * Returns how far the server's clock is from the wall clock of this client.
		 */
		private long fromWall() {
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
	 * The time that a server's clock has gained on the monotonic clock of this client.
	 *
	 * @param least the least gain in microseconds that explains the answers, after drift
	 * is subtracted
	 * @param most the greatest gain in microseconds that explains the answers
	 * @param correction whether at least half of the gain has brought the server's clock
	 * closer to the wall clock of this client, so the clock may have been corrected
	 */
	record Gain(long least, long most, boolean correction) {

		Gain orHigher(Gain other) {
			return (this.least >= other.least) ? this : other;
		}

		Gain and(Gain other) {
			return new Gain(Math.min(this.least, other.least), Math.max(this.most, other.most),
					this.correction || other.correction);
		}

	}

}

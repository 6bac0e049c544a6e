package dev.redlock.lettuce;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import dev.redlock.spi.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * Notices when the clock of a Redis server steps, compared with the monotonic clock of
 * this client.
 * <p>
 * A server reads its clock after a command was sent and before its answer arrives. Each
 * answer therefore gives a range for the offset of the server's clock from the client's
 * clock. Only two ranges that do not overlap show a step, so a slow answer alone shows no
 * step.
 * <p>
 * If a server's clock gains time, the server expires a lock key earlier by the gained
 * time. Each clock offset is compared with the lowest clock offset of the last
 * {@code max-ttl}. Many small clock steps therefore add up like one large step.
 */
final class ClockWatch {

	/**
	 * The smallest change of a clock offset that is treated as a clock step. A smaller
	 * change of the clock offset cannot be distinguished from the usual correction of a
	 * clock.
	 */
	static final Duration LEAST_STEP = Duration.ofMillis(50);

	/**
	 * Two clocks are assumed to drift apart by less than one microsecond in this number
	 * of microseconds.
	 */
	static final int MICROS_PER_DRIFT = 5000;

	private static final Duration RECENT = Duration.ofSeconds(20);

	private final Ticker ticker;

	private final long originNanos;

	private final long windowMicros;

	private final long mostMicros;

	private @Nullable ServerFacts server;

	private @Nullable Window window;

	/**
	 * The lowest clock offsets of about the last 20 seconds. In 20 seconds, clock drift
	 * changes an offset only a little.
	 */
	private @Nullable Window recent;

	/**
	 * The clock offset from the server's answers that the pause detector has not judged
	 * yet. A seeming clock step may be a pause of this process.
	 */
	private @Nullable Range undecided;

	/**
	 * The clock offset from answers whose commands may have been sent before a pause of
	 * this process.
	 */
	private @Nullable Range early;

	/**
	 * Whether this client asked the server again after the server's clock seemed to step.
	 */
	private boolean askedAgain;

	ClockWatch(NodeSettings settings, Ticker ticker) {
		this.ticker = ticker;
		this.originNanos = ticker.nanoTime();
		this.windowMicros = micros(settings.maxTtl());
		this.mostMicros = micros(NodeSettings.clockStep(settings.maxTtl()));
	}

	/**
	 * Returns how much a server's clock can gain during the ttl of a lock without being
	 * noticed.
	 * @param maxTtl the longest ttl of a lock
	 * @param pause the longest time for which the server gives no answer
	 */
	static Duration unnoticed(Duration maxTtl, Duration pause) {
		// The lowest clock offset comes from the current or the previous time window. The
		// offset may therefore be as old as two time windows.
		return LEAST_STEP.plus(maxTtl.dividedBy(MICROS_PER_DRIFT / 2)).plus(pause.dividedBy(MICROS_PER_DRIFT / 2));
	}

	/**
	 * Sets the server process whose clock is compared from now on. For another server
	 * process, the comparison of clocks starts anew. The comparison goes on if the new
	 * server process still has the locks of the former process. A clock step during a
	 * server restart may have ended locks early.
	 */
	void setServer(ServerFacts next) {
		ServerFacts former = this.server;
		if (former == null || !(former.runId().equals(next.runId()) || next.keepsLocksOf(former.durable()))) {
			this.window = null;
			this.recent = null;
			this.undecided = null;
			this.early = null;
		}
		this.server = next;
	}

	/**
	 * Compares the server's time with its earlier times. A server's answer that shows a
	 * clock step forward is stored until {@link #decideStep} is called.
	 * @param sentNanos when the command was sent to the server, by the client's monotonic
	 * clock
	 * @param serverMicros the time of the server in its answer, in microseconds
	 * @return the microseconds by which the server's clock stepped: negative for a step
	 * back, zero for no step
	 */
	long observe(long sentNanos, long serverMicros) {
		return compare(range(sentNanos, serverMicros));
	}

	/**
	 * Stores the server's time until the pause detector knows whether this process was
	 * paused.
	 */
	void storeUndecided(long sentNanos, long serverMicros) {
		Range range = range(sentNanos, serverMicros);
		Range kept = this.undecided;
		this.undecided = (kept != null && this.askedAgain) ? kept.and(range) : range;
		this.askedAgain = true;
	}

	/**
	 * Stores the server's time from an answer whose command may have been sent before a
	 * pause of this process.
	 */
	void storeEarly(long sentNanos, long serverMicros) {
		this.early = range(sentNanos, serverMicros);
	}

	/**
	 * Returns the time that the server's clock has gained according to the stored answer,
	 * or null if no earlier answer exists.
	 * @param recentOnly whether to compare the clock only with its offsets of about the
	 * last 20 seconds
	 */
	@Nullable Gain gain(boolean recentOnly) {
		Window since = recentOnly ? this.recent : this.window;
		return (since != null && this.undecided != null) ? since.gain(this.undecided) : null;
	}

	/**
	 * Decides whether the stored answer of the server, if any, shows a step of the
	 * server's clock. Later answers of the server are compared with the stored answer.
	 * @param pausedMicros how long this process was paused before the stored answer
	 * @return the microseconds by which the server's clock stepped forward, or zero
	 */
	long decideStep(long pausedMicros) {
		if (this.window != null && this.recent != null) {
			this.window = this.window.plus(pausedMicros, wallMicros());
			this.recent = this.recent.plus(pausedMicros, wallMicros());
		}
		Range kept = (this.undecided != null || pausedMicros != 0) ? this.undecided : this.early;
		long step = (kept != null) ? Math.max(0, compare(kept)) : 0;
		if (kept != null && step != 0) {
			startWith(kept);
		}
		this.undecided = null;
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
			this.undecided = range;
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
	 * The lowest clock offsets of the current and of the previous time window.
	 *
	 * @param lowest the lowest clock offset since the start of the current window
	 * @param lowestBefore the lowest clock offset of the previous window
	 * @param startMicros when the current window started, by the client's monotonic clock
	 * @param lengthMicros the length of each of the two windows
	 */
	private record Window(Range lowest, Range lowestBefore, long startMicros, long lengthMicros) {

		/**
		 * Returns how much the clock offset has changed, or zero if clock drift explains
		 * the change. Drift never explains more than the time by which the lock shortens
		 * each lease to allow for drift.
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
	 * The offset of the server's clock from the client's monotonic clock at one moment.
	 *
	 * @param low the least possible offset in microseconds
	 * @param high the greatest possible offset in microseconds
	 * @param atMicros when the offset was measured, by the client's monotonic clock
	 * @param wallMicros the offset of the client's wall clock from its monotonic clock
	 */
	private record Range(long low, long high, long atMicros, long wallMicros) {

		Range plus(long micros, long wallMicros) {
			return (micros != 0) ? new Range(this.low + micros, this.high + micros, this.atMicros, wallMicros) : this;
		}

		/**
		 * Returns the offsets that are in both ranges, or the later range if the ranges
		 * do not overlap.
		 */
		Range and(Range later) {
			long drift = driftTo(later);
			long least = Math.max(this.low - drift, later.low);
			long greatest = Math.min(this.high + drift, later.high);
			return (least <= greatest) ? new Range(least, greatest, later.atMicros, later.wallMicros) : later;
		}

		/**
		 * Returns the range with the lower offsets, limited to the offsets that both
		 * ranges allow.
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
		 * Returns the offset of the server's clock from the wall clock of this client.
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

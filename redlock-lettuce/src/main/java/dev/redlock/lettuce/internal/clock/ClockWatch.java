package dev.redlock.lettuce.internal.clock;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.lettuce.internal.facts.ServerFacts;
import dev.redlock.spi.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * Notices when the clock of a Redis server steps, compared with the monotonic clock of
 * this client. A server whose clock steps forward expires lock keys too early.
 * <p>
 * A server reads its clock between the sending of a command and the arrival of its
 * answer, so both times give a {@link Range} for the offset of the server's clock. The
 * clock has stepped if two of these ranges are further apart than drift explains.
 * <p>
 * Each clock offset is compared with the lowest offset of the current period of
 * {@code max-ttl}, and of the period before, so several small steps count together.
 */
public final class ClockWatch {

	/**
	 * A change of a clock offset below this limit may be the usual correction of a clock.
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

	private ServerFacts server;

	private @Nullable History history;

	public ClockWatch(NodeSettings settings, Ticker ticker, ServerFacts server) {
		this.server = server;
		this.ticker = ticker;
		this.originNanos = ticker.nanoTime();
		this.windowMicros = micros(settings.maxTtl());
		this.mostMicros = micros(unnoticed(settings.maxTtl()));
	}

	/**
	 * Returns how far a server's clock can get ahead during the ttl of a lock without
	 * this client noticing. Each lease ends early by the returned duration.
	 */
	public static Duration unnoticed(Duration maxTtl) {
		// An offset may be compared with an offset from 2 * (maxTtl + pause) ago, and the
		// clocks drift meanwhile.
		Duration pause = NodeSettings.CHECK_INTERVAL;
		return LEAST_STEP.plus(maxTtl.dividedBy(MICROS_PER_DRIFT / 2)).plus(pause.dividedBy(MICROS_PER_DRIFT / 2));
	}

	/**
	 * Goes on with the next process of the server. If no lock survived the restart, this
	 * returns false instead, because the earlier offsets no longer matter. Otherwise they
	 * stay, so that a step during the restart is noticed.
	 */
	boolean goesOnWith(ServerFacts next) {
		boolean sameLocks = next.runId().equals(this.server.runId()) || this.server.durable() && next.readOwnFile();
		this.server = sameLocks ? next : this.server;
		return sameLocks;
	}

	/**
	 * @param sentNanos when the command was sent, by the monotonic clock of this client
	 */
	public Range range(long sentNanos, long serverMicros) {
		long now = sinceOrigin(this.ticker.nanoTime());
		return new Range(serverMicros - now, serverMicros - sinceOrigin(sentNanos), now, wallMicros());
	}

	/**
	 * Compares a clock offset with the earlier offsets. An offset that shows a step
	 * forward is not remembered, because it may show a pause of this process instead.
	 * @return by how many microseconds the server's clock stepped: negative for a step
	 * back, zero for no step
	 */
	public long observe(Range range) {
		History known = this.history;
		long step = (known != null) ? known.all.step(range, this.mostMicros) : 0;
		if (known == null || step < 0) {
			startWith(range);
		}
		else if (step == 0) {
			this.history = new History(known.all.with(range), known.recent.with(range));
		}
		return step;
	}

	/**
	 * Returns how far the server's clock got ahead since its earlier answers, or null if
	 * unknown.
	 */
	@Nullable Gain gain(@Nullable Range range, boolean recentOnly) {
		History known = this.history;
		return (known != null && range != null) ? (recentOnly ? known.recent : known.all).gain(range) : null;
	}

	/**
	 * Goes on after it was decided whether the server's clock stepped or this process was
	 * paused.
	 * @param pausedMicros how long this process was paused, zero for no pause
	 * @param range the clock offset that may show a step too, or null
	 * @return by how many microseconds the server's clock stepped forward, zero for no
	 * step
	 */
	public long goOn(long pausedMicros, @Nullable Range range) {
		if (this.history != null && pausedMicros != 0) {
			this.history = this.history.plus(pausedMicros, (range != null) ? range.wallMicros : wallMicros());
		}
		if (range == null) {
			return 0;
		}
		long step = observe(range);
		if (step > 0) {
			startWith(range);
		}
		return Math.max(0, step);
	}

	private void startWith(Range range) {
		this.history = new History(new Window(range, range, range.atMicros, this.windowMicros),
				new Window(range, range, range.atMicros, micros(RECENT)));
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
	 * The earlier clock offsets by periods of {@code max-ttl}, and by periods of seconds.
	 */
	private record History(Window all, Window recent) {

		History plus(long micros, long wallMicros) {
			return new History(this.all.plus(micros, wallMicros), this.recent.plus(micros, wallMicros));
		}

	}

	/**
	 * The lowest clock offset in the current period, and the lowest in the period before.
	 */
	private record Window(Range lowest, Range lowestBefore, long startMicros, long lengthMicros) {

		/**
		 * Returns by how much the server's clock stepped, negative for a step back. The
		 * period before can only show a step forward.
		 */
		long step(Range now, long mostMicros) {
			long step = this.lowest.stepTo(now, mostMicros);
			long before = this.lowestBefore.stepTo(now, mostMicros);
			return (before > 0) ? Math.max(before, step) : step;
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
	 * The possible offsets of the server's clock from this client's monotonic clock, in
	 * microseconds. If a command is sent at 1000 ms and answered at 1004 ms, and the
	 * server's time in the answer is 5003 ms, the range is from 3999 to 4003 ms. If the
	 * next range is from 4200 to 4203 ms, the server's clock stepped by at least 197 ms
	 * ({@link #stepTo}) and has a {@link Gain} from 197 to 204 ms. If the next range is
	 * from 4001 to 4009 ms, the true offset is from 4001 to 4003 ms
	 * ({@link #narrowedBy}). The clocks may also have drifted apart in between.
	 *
	 * @param wallMicros the offset of this client's wall clock from its monotonic clock
	 */
	public record Range(long low, long high, long atMicros, long wallMicros) {

		Range plus(long micros, long wallMicros) {
			return new Range(this.low + micros, this.high + micros, this.atMicros, wallMicros);
		}

		/**
		 * Returns the clock offsets that are in both ranges, or the later range if the
		 * ranges do not overlap.
		 */
		Range narrowedBy(Range later) {
			long drift = driftTo(later);
			long least = Math.max(this.low - drift, later.low);
			long greatest = Math.min(this.high + drift, later.high);
			// An answer may have been under way during a pause, in which the wall clock
			// went on, so the earlier offset of the wall clock may be the right one.
			long wall = (later.wallDistance() < wallDistance()) ? later.wallMicros : this.wallMicros;
			return (least <= greatest) ? new Range(least, greatest, later.atMicros, wall) : later;
		}

		/**
		 * Returns the lower of two ranges of clock offsets, narrowed by the other range
		 * where both overlap.
		 */
		Range lower(Range later) {
			if (later.high < this.high) {
				return narrowedBy(later);
			}
			long least = later.low - driftTo(later);
			return (least > this.low && least <= this.high)
					? new Range(least, this.high, this.atMicros, this.wallMicros) : this;
		}

		Gain gain(Range later) {
			long least = later.above(this) - driftTo(later);
			return new Gain(least, later.high - this.low, wallDistance() - later.wallDistance() > least / 2);
		}

		/**
		 * Returns by how much the server's clock stepped beyond drift, negative for a
		 * step back, zero for no step. A change above {@code mostMicros} always counts as
		 * a step, because leases allow only for smaller clock errors.
		 */
		long stepTo(Range later, long mostMicros) {
			long limit = Math.min(micros(LEAST_STEP) + driftTo(later), mostMicros);
			if (later.above(this) > limit) {
				return later.above(this);
			}
			return (above(later) > limit) ? -above(later) : 0;
		}

		/**
		 * Returns how far all of this range is above the other, negative if they overlap.
		 */
		private long above(Range other) {
			return this.low - other.high;
		}

		private long driftTo(Range later) {
			return (later.atMicros - this.atMicros) / MICROS_PER_DRIFT;
		}

		/**
		 * Returns how far the server's clock is from the wall clock of this client.
		 */
		private long wallDistance() {
			return Math.abs((this.low + this.high) / 2 - this.wallMicros);
		}

	}

	/**
	 * How far a server's clock got ahead of this client's monotonic clock since earlier
	 * answers.
	 *
	 * @param least the shortest time in microseconds by which the server's clock may have
	 * got ahead
	 * @param most the longest time in microseconds by which the server's clock may have
	 * got ahead
	 * @param correction whether the server's clock came closer to the wall clock of this
	 * client
	 */
	record Gain(long least, long most, boolean correction) {

		Gain orHigher(Gain other) {
			return (this.least >= other.least) ? this : other;
		}

		/**
		 * Returns the range from the shorter of both gains to the longer.
		 */
		Gain spanning(Gain other) {
			return new Gain(Math.min(this.least, other.least), Math.max(this.most, other.most),
					this.correction || other.correction);
		}

	}

}

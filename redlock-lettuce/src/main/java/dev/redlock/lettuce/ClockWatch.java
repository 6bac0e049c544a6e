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
		}
		this.server = next;
	}

	/**
	 * Compares an answer with the ones before.
	 * @param sentNanos when the server was asked, by the monotonic clock
	 * @param serverMicros the time that the server answered
	 * @return the microseconds by which its clock stepped, negative if it stepped back,
	 * or zero
	 */
	long observe(long sentNanos, long serverMicros) {
		long now = sinceOrigin(this.ticker.nanoTime());
		long low = serverMicros - now;
		long high = serverMicros - sinceOrigin(sentNanos);
		Window known = this.window;
		if (known == null) {
			this.window = Window.startingWith(new Range(low, high, now));
			return 0;
		}
		long step = known.step(low, high, now, this.mostMicros);
		if (step != 0) {
			this.window = Window.startingWith(new Range(low, high, now));
		}
		else if (now - known.startMicros >= this.windowMicros) {
			this.window = new Window(new Range(low, high, now), known.lowest, now);
		}
		else if (high < known.lowest.high) {
			this.window = new Window(new Range(low, high, now), known.lowestBefore, known.startMicros);
		}
		return step;
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
		long step(long low, long high, long nowMicros, long mostMicros) {
			long forward = Math.max(this.lowest.risenTo(low, nowMicros, mostMicros),
					this.lowestBefore.risenTo(low, nowMicros, mostMicros));
			return (forward != 0) ? forward : -this.lowest.fallenTo(high, nowMicros, mostMicros);
		}

	}

	/**
	 * The distance between the two clocks at one moment.
	 *
	 * @param low the least distance
	 * @param high the greatest distance
	 * @param atMicros the moment, by the monotonic clock
	 */
	private record Range(long low, long high, long atMicros) {

		long risenTo(long laterLow, long nowMicros, long mostMicros) {
			return beyondDrift(laterLow - this.high, nowMicros, mostMicros);
		}

		long fallenTo(long laterHigh, long nowMicros, long mostMicros) {
			return beyondDrift(this.low - laterHigh, nowMicros, mostMicros);
		}

		private long beyondDrift(long apart, long nowMicros, long mostMicros) {
			long drift = micros(LEAST_STEP) + (nowMicros - this.atMicros) / MICROS_PER_DRIFT;
			return (apart > Math.min(drift, mostMicros)) ? apart : 0;
		}

	}

}

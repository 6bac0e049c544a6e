package dev.redlock.spring.redis;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import dev.redlock.spi.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * Notices when the clock of one server steps against the monotonic clock of this client.
 * <p>
 * A server reads its clock somewhere between the sending of a question and the coming of
 * its answer, so each answer confines the distance of the two clocks to a range. Only
 * ranges that lie apart tell of a step; an answer that was merely slow does not.
 * <p>
 * A lock ends early by all that the clock of its server gains while the lock lives. So
 * each answer is compared with the lowest distance of the last {@code max-ttl}, and many
 * small steps count as much as a large one.
 */
final class ClockWatch {

	/**
	 * A smaller step is not told from the correction of a clock.
	 */
	private static final Duration LEAST_STEP = Duration.ofMillis(50);

	/**
	 * Clocks gain less than this share on each other, in microseconds for each one.
	 */
	private static final int MICROS_PER_DRIFT = 5000;

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
	 * By how much a clock can gain while a lock lives, and not be noticed.
	 * @param maxTtl the longest life of a lock
	 * @param pause the longest time without an answer
	 */
	static Duration unnoticed(Duration maxTtl, Duration pause) {
		// The lowest distance is from this window or the one before.
		return LEAST_STEP.plus(maxTtl.dividedBy(MICROS_PER_DRIFT / 2)).plus(pause.dividedBy(MICROS_PER_DRIFT / 2));
	}

	/**
	 * Says which server the answers come from. The clock of another server is another
	 * one, unless the locks of the former server live on in it: a step in between has
	 * ended those early.
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
	 * The lowest distances between the two clocks, now and before.
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
		 * By how much the distance has changed beyond what clocks drift, and at most
		 * beyond what is taken off the validity of leases, however long nothing was told.
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
	 * @param low it is at least this
	 * @param high it is at most this
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

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
 */
final class ClockWatch {

	private static final Duration LEAST_BOUND = Duration.ofMillis(250);

	/**
	 * How often a range is taken to compare later ones with.
	 */
	private static final long REST_MICROS = 100_000;

	/**
	 * Clocks drift apart by far less than a thousandth, also while one is slewed.
	 */
	private static final int MICROS_PER_DRIFT = 1000;

	private final Ticker ticker;

	private final long originNanos;

	private final long boundMicros;

	private volatile String runId = "";

	private volatile @Nullable Range last;

	ClockWatch(NodeSettings settings, Ticker ticker) {
		this.ticker = ticker;
		this.originNanos = ticker.nanoTime();
		long drift = (long) (settings.maxTtl().toNanos() * settings.clockDriftFactor());
		this.boundMicros = TimeUnit.NANOSECONDS.toMicros(Math.max(LEAST_BOUND.toNanos(), drift));
	}

	/**
	 * Says whose answers come from here on. The clock of another server is another one,
	 * unless it keeps its locks over a restart: a step in between has ended those early.
	 */
	void turnTo(ServerFacts server) {
		if (!server.runId().equals(this.runId) && !server.losesNothing()) {
			this.last = null;
		}
		this.runId = server.runId();
	}

	/**
	 * Takes note of an answer.
	 * @param sentNanos when the question was asked, by the monotonic clock
	 * @param serverMicros what the clock of the server said
	 * @return by how much it has stepped forward, negative if back, in microseconds; zero
	 * if it has not
	 */
	long told(long sentNanos, long serverMicros) {
		long now = sinceOrigin(this.ticker.nanoTime());
		long low = serverMicros - now;
		long high = serverMicros - sinceOrigin(sentNanos);
		Range before = this.last;
		if (before == null) {
			this.last = new Range(low, high, now);
			return 0;
		}
		long step = before.distance(low, high, this.boundMicros + Math.abs(now - before.atMicros) / MICROS_PER_DRIFT);
		boolean narrow = high - low <= this.boundMicros;
		if (step != 0 || (narrow && now - before.atMicros >= REST_MICROS)) {
			this.last = new Range(low, high, now);
		}
		return step;
	}

	private long sinceOrigin(long nanos) {
		return TimeUnit.NANOSECONDS.toMicros(nanos - this.originNanos);
	}

	/**
	 * The distance between the two clocks at one moment.
	 *
	 * @param low it is at least this
	 * @param high it is at most this
	 * @param atMicros the moment, by the monotonic clock
	 */
	private record Range(long low, long high, long atMicros) {

		/**
		 * How far a later range is from this one, or zero where they are not apart.
		 */
		long distance(long laterLow, long laterHigh, long allowance) {
			if (laterLow - this.high > allowance) {
				return laterLow - this.high;
			}
			return (this.low - laterHigh > allowance) ? laterHigh - this.low : 0;
		}

	}

}

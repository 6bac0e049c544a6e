package dev.redlock;

import java.util.concurrent.TimeUnit;

import dev.redlock.spi.Ticker;

/**
 * A point in time from which to measure.
 *
 * @param nanos the monotonic clock
 * @param micros the wall clock
 */
record Moment(long nanos, long micros) {

	private static final long SUSPENDED_NANOS = TimeUnit.SECONDS.toNanos(1);

	static Moment now(Ticker ticker) {
		return new Moment(ticker.nanoTime(), ticker.epochMicros());
	}

	/**
	 * The time since this moment. The monotonic clock stands still while the machine is
	 * suspended; the wall clock then is far ahead of it, and counts.
	 */
	long elapsedNanos(Ticker ticker) {
		long monotonic = ticker.nanoTime() - this.nanos;
		long wall = TimeUnit.MICROSECONDS.toNanos(ticker.epochMicros() - this.micros);
		return (wall - monotonic > SUSPENDED_NANOS) ? wall : monotonic;
	}

}

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

	static Moment now(Ticker ticker) {
		return new Moment(ticker.nanoTime(), ticker.epochMicros());
	}

	/**
	 * The time since this moment, by the clock that went further. The monotonic clock
	 * stands still while the machine is suspended, the wall clock does not; a step
	 * forward of the wall clock only makes a lease end early, and a step back is ignored.
	 */
	long elapsedNanos(Ticker ticker) {
		long monotonic = ticker.nanoTime() - this.nanos;
		long wall = TimeUnit.MICROSECONDS.toNanos(ticker.epochMicros() - this.micros);
		return Math.max(monotonic, wall);
	}

}

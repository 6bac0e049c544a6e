package dev.redlock.internal;

import java.util.concurrent.TimeUnit;

import dev.redlock.spi.Ticker;

/**
 * A point in time, on both clocks, from which elapsed time is measured.
 *
 * @param nanos the monotonic clock
 * @param micros the wall clock
 */
record Moment(long nanos, long micros) {

	static Moment now(Ticker ticker) {
		return new Moment(ticker.nanoTime(), ticker.epochMicros());
	}

	/**
	 * Returns the time since this moment, by the clock that has advanced further. While
	 * the machine is suspended, the monotonic clock stops and the wall clock goes on. A
	 * forward step of the wall clock only makes a lease or a wait end early; a backward
	 * step is ignored.
	 */
	long elapsedNanos(Ticker ticker) {
		long wall = TimeUnit.MICROSECONDS.toNanos(ticker.epochMicros() - this.micros);
		return Math.max(monotonicNanos(ticker), wall);
	}

	/**
	 * Returns the time since this moment by the monotonic clock alone. A step of the wall
	 * clock does not change it.
	 */
	long monotonicNanos(Ticker ticker) {
		return ticker.nanoTime() - this.nanos;
	}

}

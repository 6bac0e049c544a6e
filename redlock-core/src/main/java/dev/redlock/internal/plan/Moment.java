package dev.redlock.internal.plan;

import java.util.concurrent.TimeUnit;

import dev.redlock.spi.Ticker;

/**
 * A point in time by the monotonic clock and the wall clock, from which elapsed time is
 * measured.
 */
public record Moment(long nanos, long micros) {

	public static Moment now(Ticker ticker) {
		return new Moment(ticker.nanoTime(), ticker.epochMicros());
	}

	/**
	 * Returns the time since this moment, by the clock that has advanced further. While
	 * the machine is suspended, only the wall clock goes on. A forward step of the wall
	 * clock makes a lease or a wait end early, and a backward step has no effect.
	 */
	public long elapsedNanos(Ticker ticker) {
		long wall = TimeUnit.MICROSECONDS.toNanos(ticker.epochMicros() - this.micros);
		return Math.max(monotonicNanos(ticker), wall);
	}

	public long monotonicNanos(Ticker ticker) {
		return ticker.nanoTime() - this.nanos;
	}

}

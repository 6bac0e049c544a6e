package dev.redlock.spi;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The clock from which a {@code Redlock} takes all its times. The validity of locks
 * depends on {@link #nanoTime()}. The wall clock serves to detect that the machine was
 * suspended, to propose fences, for the due times of jobs, and for times that people or
 * other clients read.
 */
public interface Ticker {

	/**
	 * The clocks of this machine.
	 */
	Ticker SYSTEM = new Ticker() {

		@Override
		public long nanoTime() {
			return System.nanoTime();
		}

		@Override
		public long epochMicros() {
			return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
		}

	};

	/**
	 * Returns the monotonic time in nanoseconds, which is only meaningful as a
	 * difference.
	 */
	long nanoTime();

	/**
	 * Returns the wall-clock time in microseconds since the epoch, which an operator or
	 * NTP may set forward or back.
	 */
	long epochMicros();

}

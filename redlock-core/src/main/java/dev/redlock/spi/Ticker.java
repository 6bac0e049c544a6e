package dev.redlock.spi;

/**
 * The only clock of the lock. Decisions rest on {@link #nanoTime()}; the wall clock only
 * reveals that the machine was suspended and proposes fences.
 */
public interface Ticker {

	/**
	 * Monotonic time, only meaningful as a difference.
	 * @return nanoseconds since an arbitrary origin
	 */
	long nanoTime();

	/**
	 * Wall-clock time, which may step.
	 * @return microseconds since the epoch
	 */
	long epochMicros();

}

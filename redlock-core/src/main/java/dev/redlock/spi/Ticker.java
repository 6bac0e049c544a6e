package dev.redlock.spi;

/**
 * The only clock of the lock. Locks depend on {@link #nanoTime()}. The wall clock is used
 * to detect that the machine was suspended, to propose fences, and for ticks.
 */
public interface Ticker {

	/**
	 * Returns the monotonic time, which is only meaningful as a difference.
	 * @return nanoseconds since an arbitrary origin
	 */
	long nanoTime();

	/**
	 * Returns the wall-clock time, which may step.
	 * @return microseconds since the epoch
	 */
	long epochMicros();

}

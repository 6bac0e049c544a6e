package dev.redlock.test.lateholder;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The servers that store the locks of the application in a test with {@link LateHolder}.
 */
interface Servers {

	long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	/**
	 * Blocks until all leases of the application have expired, without renewal, as if the
	 * process had paused.
	 */
	void expire();

	/**
	 * Moves the clock of the test a little, if the clock does not run by itself.
	 */
	default void advanceClock() {
	}

	/**
	 * Waits until a condition holds, and moves the clock of the test during the wait.
	 * @param bound the longest wait, in real time
	 */
	default void await(String what, Duration bound, BooleanSupplier condition) {
		long start = System.nanoTime();
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() - start > bound.toNanos()) {
				throw new IllegalStateException(
						"After " + bound.toSeconds() + " s, it is still not true that " + what + ".");
			}
			advanceClock();
			LockSupport.parkNanos(POLL_NANOS);
		}
	}

}

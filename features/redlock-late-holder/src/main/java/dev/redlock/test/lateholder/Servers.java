package dev.redlock.test.lateholder;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The servers that grant the locks of the application.
 */
interface Servers {

	/** The interval at which a condition is checked. */
	long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	/**
	 * Returns when each lease that the application holds has expired, as if its process
	 * had stood still. No lease is renewed meanwhile.
	 */
	void expire();

	/**
	 * Moves a manual time, which does not pass by itself.
	 */
	default void pass() {
	}

	/**
	 * Lets time pass until a condition holds.
	 * @param what the condition, for the message
	 * @param bound the longest time on the clock of this machine
	 */
	default void await(String what, Duration bound, BooleanSupplier condition) {
		long start = System.nanoTime();
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() - start > bound.toNanos()) {
				throw new IllegalStateException("Waited for " + bound.toSeconds() + " s in vain until " + what + ".");
			}
			pass();
			LockSupport.parkNanos(STEP_NANOS);
		}
	}

}

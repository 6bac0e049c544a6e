package dev.redlock.test.lateholder;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * The servers that grant the locks of the application.
 */
interface Servers {

	/**
	 * Returns when each lease that the application holds has expired, as if its process
	 * had stood still. No lease is renewed meanwhile.
	 */
	void expire();

	/**
	 * Lets a little time pass.
	 */
	void pass();

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
		}
	}

}

package dev.redlock.benchmarks.scenario;

import dev.redlock.benchmarks.measure.Tally;

/**
 * What one process had of a lock that several wanted.
 *
 * @param locks how often it had the lock
 * @param failures how often it was told that it cannot have it
 * @param longestWaitMillis how long it waited at most
 */
record Share(long locks, long failures, long longestWaitMillis) {

	private static final double MICROS_PER_MILLI = 1e3;

	static Share of(Tally tally) {
		return new Share(tally.total(), tally.failures(), Math.round(tally.waits().micros(1) / MICROS_PER_MILLI));
	}

	/**
	 * Reads the line of a client in another language.
	 */
	static Share decode(String line) {
		String[] words = line.split(" ");
		return new Share(Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]));
	}

}

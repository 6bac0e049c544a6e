package dev.redlock.benchmarks.report;

import java.util.List;

/**
 * What came out of a scenario.
 *
 * @param name its name, also that of its files
 * @param title what was done
 * @param parts the tables
 */
public record Result(String name, String title, List<Part> parts) {

	/**
	 * Keeps what it is given.
	 */
	public Result {
		parts = List.copyOf(parts);
	}

}

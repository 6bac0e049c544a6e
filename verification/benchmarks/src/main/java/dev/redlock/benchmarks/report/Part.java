package dev.redlock.benchmarks.report;

import java.util.List;

import dev.redlock.benchmarks.measure.Series;

/**
 * A table.
 *
 * @param heading what it shows
 * @param table the table
 * @param remarks sentences below it
 * @param series the rounds it was made of, if it was made of rounds
 */
public record Part(String heading, Table table, List<String> remarks, List<Series> series) {

	/**
	 * Keeps what it is given.
	 */
	public Part {
		remarks = List.copyOf(remarks);
		series = List.copyOf(series);
	}

	/**
	 * A table without rounds.
	 * @param heading what it shows
	 * @param table the table
	 * @param remarks sentences below it
	 */
	public Part(String heading, Table table, String... remarks) {
		this(heading, table, List.of(remarks), List.of());
	}

}

package dev.redlock.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.redlock.benchmarks.measure.Lane;
import dev.redlock.benchmarks.measure.Round;
import dev.redlock.benchmarks.measure.Series;
import dev.redlock.benchmarks.measure.Stats;

/**
 * Lanes and their rounds as a table.
 */
public final class RateTable {

	private static final List<String> HEADER = List.of("", "locks/s", "ratio", "of rounds", "wait p50", "p99", "max",
			"fairness", "sent", "executed", "failed");

	private RateTable() {
	}

	/**
	 * Makes the table.
	 * @param heading what it shows
	 * @param lanes what was measured
	 * @param series the rounds of each lane
	 * @return the table
	 */
	public static Part of(String heading, List<Lane> lanes, Map<String, Series> series) {
		List<List<String>> rows = new ArrayList<>();
		List<String> remarks = new ArrayList<>();
		for (Lane lane : lanes) {
			Series measured = series.get(lane.label());
			Series base = series.get(lane.base());
			if (measured == null) {
				continue;
			}
			double[] ratios = (base != null) ? measured.ratiosTo(base) : new double[0];
			rows.add(row(measured, ratios));
			remark(measured, remarks);
		}
		return new Part(heading, new Table(HEADER, rows), remarks, List.copyOf(series.values()));
	}

	private static List<String> row(Series series, double[] ratios) {
		return List.of(series.label(), Format.number(series.median((round) -> round.tally().perSecond())),
				Format.ratio(Stats.median(ratios)),
				Format.ratio(Stats.min(ratios)) + "–" + Format.ratio(Stats.max(ratios)), wait(series, 0.5),
				wait(series, 0.99), longest(series),
				Format.ratio(series.median((round) -> round.tally().smallestShare())),
				Format.number(series.median(Round::sent)), Format.number(series.median(Round::executed)),
				Long.toString(series.failures()) + (series.exact() ? "" : " INEXACT"));
	}

	private static String wait(Series series, double quantile) {
		return Format.micros(series.median((round) -> round.tally().waits().micros(quantile)));
	}

	private static String longest(Series series) {
		return Format.micros(Stats.max(series.each((round) -> round.tally().waits().micros(1))));
	}

	private static void remark(Series series, List<String> remarks) {
		if (!series.exact()) {
			remarks.add(series.label() + ": the counter under the lock is wrong: two held it at the same time.");
		}
		if (!series.complaint().isEmpty()) {
			remarks.add(series.label() + ": " + series.complaint());
		}
	}

}

package dev.redlock.benchmarks.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.redlock.benchmarks.measure.Round;
import dev.redlock.benchmarks.measure.Series;

/**
 * Writes what came out of a run into a directory of its own beside those of earlier runs:
 * a page with the tables, and all rounds as they were.
 */
public final class RunReport {

	private static final int MOST_RUNS = 1_000;

	private static final String COLUMNS = "scenario,lane,round,locks,failed,seconds,p50_us,p99_us,max_us,fairness,"
			+ "sent,executed,exact\n";

	private final String command;

	private final Map<String, String> facts;

	/**
	 * Creates a report.
	 * @param command what was asked for
	 * @param facts on what the run was made
	 */
	public RunReport(String command, Map<String, String> facts) {
		this.command = command;
		this.facts = facts;
	}

	/**
	 * Writes it.
	 * @param out the directory of all runs
	 * @param results what came out
	 * @return the directory of this run
	 */
	public Path write(Path out, List<Result> results) {
		try {
			Path directory = next(out);
			Files.writeString(directory.resolve("README.md"), page(directory.getFileName().toString(), results));
			Files.writeString(directory.resolve("rounds.csv"), rounds(results));
			return directory;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The results could not be written to " + out, ex);
		}
	}

	private static Path next(Path out) throws IOException {
		for (int run = 1; run <= MOST_RUNS; run++) {
			Path directory = out.resolve("run-" + run);
			if (!Files.exists(directory)) {
				return Files.createDirectories(directory);
			}
		}
		throw new IOException("There are " + MOST_RUNS + " runs already");
	}

	private String page(String name, List<Result> results) {
		StringBuilder page = new StringBuilder("# ").append(name).append(", ").append(LocalDate.now()).append("\n\n");
		page.append("`").append(this.command).append("`\n\n");
		page.append("What the columns mean: [method](../README.md#columns).\n\n");
		page.append(new Table(List.of("machine", ""),
				this.facts.entrySet().stream().map((fact) -> List.of(fact.getKey(), fact.getValue())).toList())
			.markdown());
		for (Result result : results) {
			page.append("\n## ").append(result.title()).append("\n\n`").append(result.name()).append("`\n");
			for (Part part : result.parts()) {
				add(page, result, part);
			}
		}
		return page.toString();
	}

	private static void add(StringBuilder page, Result result, Part part) {
		if (!part.heading().equals(result.title())) {
			page.append("\n### ").append(part.heading()).append('\n');
		}
		page.append('\n').append(part.table().markdown());
		if (!part.remarks().isEmpty()) {
			page.append('\n');
			part.remarks().forEach((remark) -> page.append("- ").append(remark).append('\n'));
		}
	}

	private static String scenario(Result result, Part part) {
		int index = result.parts().indexOf(part);
		return result.name() + ((result.parts().size() > 1) ? "-" + (index + 1) : "");
	}

	private static String rounds(List<Result> results) {
		StringBuilder rows = new StringBuilder(COLUMNS);
		for (Result result : results) {
			for (Part part : result.parts()) {
				String scenario = scenario(result, part);
				part.series().forEach((series) -> add(rows, scenario, series));
			}
		}
		return rows.toString();
	}

	private static void add(StringBuilder rows, String scenario, Series series) {
		for (int i = 0; i < series.rounds().size(); i++) {
			Round round = series.rounds().get(i);
			rows.append(String.format(Locale.ROOT, "%s,\"%s\",%d,%d,%d,%.3f,%.1f,%.1f,%.1f,%.3f,%.2f,%.2f,%s%n",
					scenario, series.label(), i + 1, round.tally().total(), round.tally().failures(),
					round.tally().nanos() / 1e9, round.tally().waits().micros(0.5), round.tally().waits().micros(0.99),
					round.tally().waits().micros(1), round.tally().smallestShare(), round.sent(), round.executed(),
					round.exact()));
		}
	}

}

package dev.redlock.benchmarks.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import dev.redlock.benchmarks.contender.Library;
import dev.redlock.benchmarks.measure.SharedCounter;
import dev.redlock.benchmarks.report.Part;
import dev.redlock.benchmarks.report.Result;

/**
 * A run over scenarios, from the start of its servers to its tables.
 */
public final class Comparison {

	private Comparison() {
	}

	/**
	 * Runs the scenarios that are asked for, and prints a table of each when it is done.
	 * @param options what is asked for
	 * @return what came out
	 */
	public static List<Result> run(Options options) {
		List<Scenario> scenarios = Scenarios.named(options.scenarios());
		Set<Site> needed = scenarios.stream()
			.flatMap((scenario) -> scenario.sites().stream())
			.collect(Collectors.toSet());
		try (Sites sites = Sites.start(needed, options.terms())) {
			if (options.libraries().contains(Library.REDLOCK)) {
				System.out.printf("Waiting for the restart guard of new servers: max-ttl is %s s%n",
						options.maxTtl().toMillis() / 1e3);
				sites.introduce();
			}
			Bench bench = new Bench(options, sites, SharedCounter.create());
			List<Result> results = new ArrayList<>();
			for (Scenario scenario : scenarios) {
				results.add(run(scenario, bench));
			}
			return results;
		}
	}

	private static Result run(Scenario scenario, Bench bench) {
		long start = System.nanoTime();
		Result result = scenario.run(bench);
		System.out.printf("%n# %s (%s), in %d s%n", result.title(), result.name(),
				(System.nanoTime() - start) / 1_000_000_000L);
		for (Part part : result.parts()) {
			if (!part.heading().equals(result.title())) {
				System.out.println("## " + part.heading());
			}
			System.out.print(part.table().text());
			part.remarks().forEach((remark) -> System.out.println("! " + remark));
		}
		System.out.flush();
		return result;
	}

}

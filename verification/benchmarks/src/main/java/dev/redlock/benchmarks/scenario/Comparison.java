package dev.redlock.benchmarks.scenario;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.redlock.benchmarks.contender.Library;
import dev.redlock.benchmarks.measure.SharedCounter;
import dev.redlock.benchmarks.report.Machine;
import dev.redlock.benchmarks.report.Part;
import dev.redlock.benchmarks.report.Result;
import dev.redlock.benchmarks.report.RunReport;
import dev.redlock.test.RedisNode;

/**
 * A run over scenarios, from the start of its servers to its tables.
 */
public final class Comparison {

	private static final Pattern REDIS_VERSION = Pattern.compile("redis_version:(\\S+)");

	private static final double NANOS = 1e9;

	private Comparison() {
	}

	/**
	 * Checks the names of scenarios before anything is started.
	 * @param options what is asked for
	 * @throws IllegalArgumentException if there is no scenario of a name
	 */
	public static void check(Options options) {
		Scenarios.named(options.scenarios());
	}

	/**
	 * Runs the scenarios that are asked for, prints a table of each when it is done, and
	 * writes all of them if there is a directory for them. A scenario that fails does not
	 * keep the others from running.
	 * @param options what is asked for
	 * @param command how it was asked for
	 * @return whether all scenarios came to their end
	 */
	public static boolean run(Options options, String command) {
		long start = System.nanoTime();
		List<Scenario> scenarios = Scenarios.named(options.scenarios());
		List<Result> results = new ArrayList<>();
		Map<String, String> machine = Machine.describe(redisVersion());
		measure(options, scenarios, results);
		machine.put("took", Math.round((System.nanoTime() - start) / NANOS) + " s");
		Path out = options.out();
		if (out != null) {
			System.out.println("\nWritten to " + new RunReport(command, machine).write(out, results));
		}
		return results.size() == scenarios.size();
	}

	private static void measure(Options options, List<Scenario> scenarios, List<Result> results) {
		Set<Site> needed = scenarios.stream()
			.flatMap((scenario) -> scenario.sites().stream())
			.collect(Collectors.toSet());
		try (Sites sites = Sites.start(needed, options.terms())) {
			if (options.libraries().contains(Library.REDLOCK) && !needed.isEmpty()) {
				System.out.printf("The restart guard lets new servers wait for max-ttl, %s s%n",
						options.maxTtl().toMillis() / 1e3);
				sites.introduce();
			}
			Bench bench = new Bench(options, sites, SharedCounter.create());
			for (Scenario scenario : scenarios) {
				try {
					results.add(run(scenario, bench));
				}
				catch (RuntimeException ex) {
					System.err.println("The scenario " + scenario.name() + " failed");
					ex.printStackTrace();
				}
			}
		}
	}

	private static Result run(Scenario scenario, Bench bench) {
		long start = System.nanoTime();
		Result result = scenario.run(bench);
		System.out.printf("%n# %s (%s), in %.0f s%n", result.title(), result.name(),
				(System.nanoTime() - start) / NANOS);
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

	private static String redisVersion() {
		try (RedisNode server = RedisNode.start("version")) {
			Matcher matcher = REDIS_VERSION.matcher(String.valueOf(server.command("INFO", "server")));
			return matcher.find() ? matcher.group(1) : "unknown";
		}
	}

}

package dev.redlock.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

import dev.redlock.benchmarks.scenario.Comparison;
import dev.redlock.benchmarks.scenario.Options;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs one comparison by its name.
 */
public final class Benchmarks {

	private static final Map<String, Consumer<List<String>>> RUNS = new TreeMap<>(
			Map.of("compare", Benchmarks::compare, "overhead", (arguments) -> overhead()));

	private Benchmarks() {
	}

	/**
	 * Runs what it is asked for.
	 * @param args the name of the comparison, and what it is to know
	 */
	public static void main(String[] args) {
		Consumer<List<String>> run = (args.length > 0) ? RUNS.get(args[0]) : null;
		if (run == null) {
			fail("Name one of " + RUNS.keySet());
			return;
		}
		try {
			run.accept(Arrays.asList(args).subList(1, args.length));
		}
		catch (IllegalArgumentException ex) {
			fail(String.valueOf(ex.getMessage()));
			return;
		}
		// Not every library ends all of its threads.
		System.exit(0);
	}

	private static void fail(String message) {
		System.err.println(message);
		System.err.println(Options.USAGE);
		System.exit(2);
	}

	private static void compare(List<String> arguments) {
		Comparison.run(Options.parse(arguments));
	}

	private static void overhead() {
		try {
			new Runner(new OptionsBuilder().include(OverheadBenchmark.class.getSimpleName())
				.forks(0)
				.warmupIterations(4)
				.warmupTime(TimeValue.seconds(2))
				.measurementIterations(5)
				.measurementTime(TimeValue.seconds(2))
				.addProfiler(GCProfiler.class)
				.build()).run();
		}
		catch (RunnerException ex) {
			throw new IllegalStateException(ex);
		}
	}

}

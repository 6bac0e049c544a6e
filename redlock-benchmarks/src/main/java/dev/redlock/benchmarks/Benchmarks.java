package dev.redlock.benchmarks;

import java.util.Map;
import java.util.TreeMap;

import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs one comparison by its name.
 */
public final class Benchmarks {

	private static final Map<String, Runnable> RUNS = new TreeMap<>(Map.of("frozen-node", FrozenNodeRun::run,
			"fence-price", FencePriceRun::run, "overhead", Benchmarks::overhead));

	private Benchmarks() {
	}

	/**
	 * Runs what it is asked for.
	 * @param args the name of the comparison
	 */
	public static void main(String[] args) {
		Runnable run = (args.length == 1) ? RUNS.get(args[0]) : null;
		if (run == null) {
			System.err.println("Name one of " + RUNS.keySet());
			System.exit(2);
			return;
		}
		run.run();
		System.exit(0);
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

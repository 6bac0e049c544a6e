package dev.redlock.benchmarks.overhead;

import java.util.Collection;

import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs the {@link OverheadBenchmark}. As the main class of a process of its own it is
 * short and answers {@code label microseconds error bytes} for each benchmark.
 */
public final class Overhead {

	private static final String ALLOCATED = "gc.alloc.rate.norm";

	private Overhead() {
	}

	/**
	 * Runs it for a scenario.
	 * @param args the seconds of an iteration
	 */
	public static void main(String[] args) {
		for (RunResult result : run(Integer.parseInt(args[0]), VerboseMode.SILENT)) {
			Result<?> time = result.getPrimaryResult();
			Result<?> bytes = result.getSecondaryResults().get(ALLOCATED);
			System.out.println(time.getLabel() + " " + time.getScore() + " " + time.getScoreError() + " "
					+ ((bytes != null) ? bytes.getScore() : Double.NaN));
		}
		System.exit(0);
	}

	/**
	 * Runs it with everything that JMH has to say.
	 */
	public static void runAlone() {
		run(2, VerboseMode.NORMAL);
	}

	private static Collection<RunResult> run(int iterationSeconds, VerboseMode mode) {
		try {
			return new Runner(new OptionsBuilder().include(OverheadBenchmark.class.getSimpleName())
				.forks(0)
				.warmupIterations(4)
				.warmupTime(TimeValue.seconds(iterationSeconds))
				.measurementIterations(5)
				.measurementTime(TimeValue.seconds(iterationSeconds))
				.addProfiler(GCProfiler.class)
				.verbosity(mode)
				.build()).run();
		}
		catch (RunnerException ex) {
			throw new IllegalStateException(ex);
		}
	}

}

package dev.redlock.benchmarks;

import java.util.Arrays;
import java.util.List;

import dev.redlock.benchmarks.overhead.Overhead;
import dev.redlock.benchmarks.scenario.Comparison;
import dev.redlock.benchmarks.scenario.Options;

/**
 * The command line of the benchmarks.
 */
public final class Benchmarks {

	private Benchmarks() {
	}

	/**
	 * Runs what it is asked for.
	 * @param args {@code compare} with its options, or {@code overhead}
	 */
	public static void main(String[] args) {
		String command = (args.length > 0) ? args[0] : "";
		// Not every library ends all of its threads.
		System.exit(switch (command) {
			case "compare" -> compare(Arrays.asList(args));
			case "overhead" -> overhead();
			default -> usage("Name what to run: compare, or overhead for the JMH benchmark alone");
		});
	}

	private static int compare(List<String> words) {
		Options options;
		try {
			options = Options.parse(words.subList(1, words.size()));
			Comparison.check(options);
		}
		catch (IllegalArgumentException ex) {
			return usage(String.valueOf(ex.getMessage()));
		}
		return Comparison.run(options, String.join(" ", words)) ? 0 : 1;
	}

	private static int overhead() {
		Overhead.runAlone();
		return 0;
	}

	private static int usage(String message) {
		System.err.println(message);
		System.err.println(Options.USAGE);
		return 2;
	}

}

package dev.redlock.benchmarks;

import java.util.Map;
import java.util.TreeMap;

/**
 * Runs one comparison by its name.
 */
public final class Benchmarks {

	private static final Map<String, Runnable> RUNS = new TreeMap<>(
			Map.of("frozen-node", FrozenNodeRun::run, "fence-price", FencePriceRun::run));

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

}

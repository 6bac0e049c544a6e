package dev.redlock.sim;

import java.util.List;
import java.util.Queue;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

import dev.redlock.sim.Simulation.Result;

/**
 * Runs many seeds and prints a table; or replays one seed and prints its story. <pre>
 * SimulationRun SEEDS [FIRST]        all plans, SEEDS seeds in total, then the controls
 * SimulationRun replay PLAN SEED     the trace of one run
 * </pre>
 */
public final class SimulationRun {

	private static final int CONTROL_SEEDS = 2_000;

	private SimulationRun() {
	}

	/**
	 * Runs the simulation from the command line.
	 * @param args see above
	 */
	public static void main(String[] args) {
		if (args.length == 3 && args[0].equals("replay")) {
			replay(args[1], Long.parseLong(args[2]));
			return;
		}
		int seeds = (args.length > 0) ? Integer.parseInt(args[0]) : 2_000;
		long first = (args.length > 1) ? Long.parseLong(args[1]) : 1;
		boolean clean = honest(first, Math.max(1, seeds / Plans.HONEST.size()));
		boolean caught = controls(first);
		if (!clean || !caught) {
			System.exit(1);
		}
	}

	/**
	 * The seeds of a plan, from the first one on, and what they came to.
	 */
	static Summary run(Plan plan, long first, int seeds) {
		AtomicLong events = new AtomicLong();
		AtomicLong won = new AtomicLong();
		Queue<String> found = new ConcurrentLinkedQueue<>();
		LongStream.range(first, first + seeds).parallel().forEach((seed) -> {
			Result result = Simulation.run(seed, plan, false);
			events.addAndGet(result.events());
			won.addAndGet(result.won());
			if (!result.violations().isEmpty()) {
				found.add(seed + ":" + String.join("", new TreeSet<>(result.violations())));
			}
		});
		return new Summary(plan, seeds, events.get(), won.get(), found.stream().sorted().toList());
	}

	/**
	 * How many seeds it takes until the weakness of a plan shows; 0 if it does not.
	 */
	private static int seedsUntilCaught(Plan plan, long first, int most) {
		for (int i = 0; i < most; i++) {
			if (!Simulation.run(first + i, plan, false).violations().isEmpty()) {
				return i + 1;
			}
		}
		return 0;
	}

	/**
	 * Whether the weakness of a plan shows in one of so many seeds. Each thread takes the
	 * next seed, because half of the work would be done behind the first seed that shows
	 * it.
	 */
	static boolean isCaught(Plan plan, int seeds) {
		AtomicLong last = new AtomicLong();
		return LongStream.range(0, seeds)
			.parallel()
			.anyMatch((turn) -> !Simulation.run(last.incrementAndGet(), plan, false).violations().isEmpty());
	}

	private static boolean honest(long first, int seedsEach) {
		System.out.printf("%n| %-31s | %8s | %12s | %10s | %s |%n", "fault plan", "seeds", "events", "leases",
				"violations (M K U I L N O D T J W G E S Q)");
		System.out.println("|---|---|---|---|---|");
		boolean clean = true;
		long seeds = 0;
		long events = 0;
		for (Plan plan : Plans.HONEST) {
			Summary summary = run(plan, first, seedsEach);
			seeds += summary.seeds;
			events += summary.events;
			clean = clean && summary.found.isEmpty();
			System.out.printf("| %-31s | %8d | %12d | %10d | %s |%n", plan.name(), summary.seeds, summary.events,
					summary.won,
					summary.found.isEmpty() ? "none" + (plan.maySplit() ? " (M not checked)" : "")
							: summary.found.size() + ": "
									+ summary.found.subList(0, Math.min(5, summary.found.size())));
		}
		System.out.printf("| %-31s | %8d | %12d |%n", "all", seeds, events);
		return clean;
	}

	private static boolean controls(long first) {
		System.out.printf("%n| %-26s | %s |%n|---|---|%n", "negative control", "caught after so many seeds, by");
		boolean caught = true;
		for (Plan plan : Plans.CONTROLS) {
			int seeds = seedsUntilCaught(plan, first, CONTROL_SEEDS);
			caught = caught && seeds > 0;
			System.out.printf("| %-26s | %s |%n", plan.name(), (seeds == 0) ? "NOT CAUGHT in " + CONTROL_SEEDS
					: seeds + ", " + new TreeSet<>(Simulation.run(first + seeds - 1, plan, false).violations()));
		}
		return caught;
	}

	private static void replay(String planName, long seed) {
		TreeMap<String, Plan> plans = new TreeMap<>();
		Plans.HONEST.forEach((plan) -> plans.put(plan.name(), plan));
		Plans.CONTROLS.forEach((plan) -> plans.put(plan.name(), plan));
		Plan plan = plans.get(planName);
		if (plan == null) {
			System.out.println("There is no plan \"" + planName + "\". Plans are " + plans.keySet());
			return;
		}
		Result result = Simulation.run(seed, plan, true);
		result.trace().forEach(System.out::println);
		System.out.println("violations: " + result.violations() + ", events: " + result.events());
	}

	/**
	 * What many runs of one plan came to.
	 */
	record Summary(Plan plan, int seeds, long events, long won, List<String> found) {

	}

}

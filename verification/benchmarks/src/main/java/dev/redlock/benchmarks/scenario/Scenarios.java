package dev.redlock.benchmarks.scenario;

import java.util.List;

import dev.redlock.benchmarks.contender.Library;

/**
 * All scenarios in the order in which they run.
 */
final class Scenarios {

	private static final List<Scenario> ALL = List.of(
			new InOneJvm("alone", "One thread, its own lock", Library.all(), 1, false, 1), new SpacedLock(),
			new InOneJvm("own-keys", "32 threads, each its own lock", Library.all(), 32, false, 1),
			new InOneJvm("hot", "8 threads of one JVM, one lock", Library.thatWait(), 8, true, 2),
			new HotOverJvms(4, 2), new Frozen("frozen", "One of five servers frozen, 1 thread", 1),
			new Frozen("two-frozen", "Two of five servers frozen, 1 thread", 2), new TwoKilled(), new SlowNetwork(),
			new InOneJvm("fence-price", "8 threads, each its own lock, with and without fences and restart guard",
					Library.fenced(), 8, false, 1),
			new AnnotationOverhead());

	private Scenarios() {
	}

	static List<Scenario> named(List<String> names) {
		if (names.isEmpty()) {
			return ALL;
		}
		return names.stream().map(Scenarios::named).toList();
	}

	private static Scenario named(String name) {
		return ALL.stream()
			.filter((scenario) -> scenario.name().equals(name))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException(
					"There is no scenario " + name + ", but " + ALL.stream().map(Scenario::name).toList()));
	}

}

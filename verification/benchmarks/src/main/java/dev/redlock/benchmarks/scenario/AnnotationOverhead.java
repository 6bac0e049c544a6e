package dev.redlock.benchmarks.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import dev.redlock.benchmarks.overhead.Overhead;
import dev.redlock.benchmarks.report.Part;
import dev.redlock.benchmarks.report.Result;
import dev.redlock.benchmarks.report.Table;

/**
 * The JMH benchmark on nodes in memory, in a process of its own so that nothing else has
 * shaped the compiled code.
 */
final class AnnotationOverhead implements Scenario {

	private static final int BENCHMARKS = 5;

	private static final String ITERATION_SECONDS = "1";

	@Override
	public String name() {
		return "overhead";
	}

	@Override
	public String title() {
		return "Annotation and template over the lock itself, nodes in memory";
	}

	@Override
	public Set<Site> sites() {
		return Set.of();
	}

	@Override
	public Result run(Bench bench) {
		List<List<String>> rows = new ArrayList<>();
		try (ChildJvm child = ChildJvm.start(ClassPath.ofThisProcess().entries(), List.of("-Xmx512m"), Overhead.class,
				List.of(ITERATION_SECONDS))) {
			for (int i = 0; i < BENCHMARKS; i++) {
				String[] words = child.hear().split(" ");
				rows.add(List.of(words[0], decimal(words[1]), decimal(words[2]),
						String.format(Locale.ROOT, "%.0f", Double.parseDouble(words[3]))));
			}
		}
		return new Result(name(), title(), List
			.of(new Part(title(), new Table(List.of("", "µs per lock", "± (99.9 %)", "bytes per lock"), rows))));
	}

	private static String decimal(String number) {
		return String.format(Locale.ROOT, "%.2f", Double.parseDouble(number));
	}

}

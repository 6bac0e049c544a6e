package dev.redlock.benchmarks.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.redlock.benchmarks.contender.Contexts;
import dev.redlock.benchmarks.measure.Stats;
import dev.redlock.benchmarks.report.Format;
import dev.redlock.benchmarks.report.Part;
import dev.redlock.benchmarks.report.Result;
import dev.redlock.benchmarks.report.Table;

/**
 * A small application with and without the starter on its class path, each several times
 * in a new JVM and in turn.
 */
final class StartUp implements Scenario {

	/** What the starter brings of this project. */
	private static final Pattern STARTER = Pattern
		.compile("redlock-(core|lettuce|jobs|spring|spring-boot-autoconfigure|spring-boot-starter)(/|-[0-9])");

	@Override
	public String name() {
		return "start-up";
	}

	@Override
	public String title() {
		return "Start of a small application with and without the starter";
	}

	@Override
	public Set<Site> sites() {
		return Set.of(Site.QUIET);
	}

	@Override
	public Result run(Bench bench) {
		// The embedded servers of the test module are no part of the starter.
		ClassPath with = ClassPath.ofThisProcess().without((entry) -> entry.contains("redlock-spring-boot-test"));
		ClassPath without = with.without((entry) -> STARTER.matcher(entry).find());
		List<String> properties = Stream.concat(
				Stream.of(StartUpChild.LOCK, "redlock.max-ttl=" + bench.options().maxTtl(),
						"redlock.ttl=" + bench.options().terms().ttl()),
				Contexts.instances(bench.sites().ports(Site.QUIET)).stream())
			.toList();
		List<double[]> started = new ArrayList<>();
		List<double[]> plain = new ArrayList<>();
		start(with, properties);
		start(without, List.of("no-lock"));
		for (int round = 0; round < bench.options().rounds().count(); round++) {
			started.add(start(with, properties));
			plain.add(start(without, List.of("no-lock")));
		}
		Table table = new Table(List.of("application", "started after", "processor time", "first lock released after"),
				List.of(row("without the starter", plain, false), row("with the starter", started, true)));
		return new Result(name(), title(), List.of(new Part(title(), table)));
	}

	private static double[] start(ClassPath classPath, List<String> arguments) {
		try (ChildJvm child = ChildJvm.start(classPath.entries(), List.of("-Xmx256m"), StartUpChild.class, arguments)) {
			return Stream.of(child.hear().split(" ")).mapToDouble(Double::parseDouble).toArray();
		}
	}

	private static List<String> row(String label, List<double[]> starts, boolean locks) {
		double[] medians = IntStream.range(0, 3)
			.mapToDouble((i) -> Stats.median(starts.stream().mapToDouble((start) -> start[i]).toArray()))
			.toArray();
		return List.of(label, Format.micros(medians[0] * 1e3), Format.micros(medians[1] * 1e3),
				locks ? Format.micros(medians[2] * 1e3) : "–");
	}

}

package dev.redlock.benchmarks.scenario;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import dev.redlock.benchmarks.contender.Library;
import dev.redlock.benchmarks.measure.Lane;
import dev.redlock.benchmarks.measure.Load;
import dev.redlock.benchmarks.measure.Tally;
import dev.redlock.benchmarks.report.RateTable;
import dev.redlock.benchmarks.report.Result;
import dev.redlock.test.RedisNode;

/**
 * One lock that threads in several processes want. The floor in one process with as many
 * threads is what they are compared with.
 */
final class HotOverJvms implements Scenario {

	private static final double TURNS = 3;

	/**
	 * Several processes that share few cores take long to be compiled, and a lock that
	 * they all want goes round too slowly for that: each warms up on a lock of its own.
	 */
	private static final int WARM_UPS = 8;

	private static final long START_DELAY_MILLIS = 50;

	private static final String BASE = "floor, one JVM";

	private final int jvms;

	private final int threads;

	HotOverJvms(int jvms, int threads) {
		this.jvms = jvms;
		this.threads = threads;
	}

	@Override
	public String name() {
		return "hot-jvms";
	}

	@Override
	public String title() {
		return "One lock, " + this.jvms + " JVMs of " + this.threads + " threads";
	}

	@Override
	public Set<Site> sites() {
		return Set.of(Site.MAIN);
	}

	@Override
	public Result run(Bench bench) {
		List<RedisNode> servers = bench.sites().servers(Site.MAIN);
		List<Library> libraries = bench.options().among(Library.thatWait());
		Map<Library, List<ChildJvm>> children = new EnumMap<>(Library.class);
		try {
			libraries.forEach((library) -> children.put(library, start(bench, library)));
			List<Lane> lanes = new ArrayList<>();
			lanes.add(bench.lane(BASE, BASE, Library.FLOOR, bench.sites().contender(Site.MAIN, Library.FLOOR), servers,
					new Load(name(), true, this.jvms * this.threads, 0)));
			for (Library library : libraries) {
				lanes.add(new Lane(library.label(), BASE,
						(millis) -> bench.measure(library, servers, true,
								() -> together(children.getOrDefault(library, List.of()), library,
										new Load(name(), true, this.threads, millis)))));
			}
			return new Result(name(), title(),
					List.of(RateTable.of(title(), lanes, bench.options().rounds().times(TURNS).measure(lanes))));
		}
		finally {
			children.values().forEach((each) -> each.forEach(ChildJvm::close));
		}
	}

	/**
	 * Processes for this library alone, as in an application: others would leave their
	 * threads in them, and their code in the way.
	 */
	private List<ChildJvm> start(Bench bench, Library library) {
		List<ChildJvm> children = IntStream.range(0, this.jvms)
			.mapToObj((i) -> ChildJvm.start(ClassPath.ofThisProcess().entries(),
					List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"), LoadChild.class,
					List.of(bench.counter().file().toString())))
			.toList();
		String open = LoadChild.open(library, bench.options().maxTtl(), bench.sites().ports(Site.MAIN));
		children.forEach((child) -> child.say(open));
		children.forEach(ChildJvm::hear);
		warmUp(children, library, bench.options().rounds().warmUpMillis() * WARM_UPS);
		return children;
	}

	private void warmUp(List<ChildJvm> children, Library library, long millis) {
		for (int i = 0; i < children.size(); i++) {
			Load alone = new Load(name() + "-warm-up-" + i, true, this.threads, millis);
			children.get(i).say(LoadChild.run(library, alone, System.currentTimeMillis() + START_DELAY_MILLIS));
		}
		children.forEach(ChildJvm::hear);
	}

	private static Tally together(List<ChildJvm> children, Library library, Load load) {
		String run = LoadChild.run(library, load, System.currentTimeMillis() + START_DELAY_MILLIS);
		children.forEach((child) -> child.say(run));
		return Tally.sum(children.stream().map(ChildJvm::hear).map(Tally::decode).toList());
	}

}

package dev.redlock.benchmarks.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import dev.redlock.benchmarks.contender.Library;
import dev.redlock.benchmarks.measure.Lane;
import dev.redlock.benchmarks.measure.Load;
import dev.redlock.benchmarks.report.RateTable;
import dev.redlock.benchmarks.report.Result;

/**
 * The same load on 1, 3, 5 and 7 servers.
 */
final class NodeCounts implements Scenario {

	private static final List<Site> SITES = List.of(Site.ONE, Site.THREE, Site.MAIN, Site.SEVEN);

	@Override
	public String name() {
		return "nodes";
	}

	@Override
	public String title() {
		return "1, 3, 5 and 7 servers, 1 thread";
	}

	@Override
	public Set<Site> sites() {
		return Set.copyOf(SITES);
	}

	@Override
	public Result run(Bench bench) {
		Load load = new Load(name(), false, 1, 0);
		List<Lane> lanes = new ArrayList<>();
		for (Library library : bench.options().among(Library.withQuorum())) {
			for (Site site : SITES) {
				lanes.add(bench.lane(label(library, site), label(Library.FLOOR, site), library,
						bench.sites().contender(site, library), bench.sites().servers(site), load));
			}
		}
		return new Result(name(), title(),
				List.of(RateTable.of(title(), lanes, bench.options().rounds().brief().measure(lanes))));
	}

	private static String label(Library library, Site site) {
		return library.label() + ", " + site.servers();
	}

}

package dev.redlock.benchmarks.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import dev.redlock.benchmarks.contender.Library;
import dev.redlock.benchmarks.measure.Lane;
import dev.redlock.benchmarks.measure.Load;
import dev.redlock.benchmarks.report.RateTable;
import dev.redlock.benchmarks.report.Result;
import dev.redlock.test.RedisNode;

/**
 * Two servers of five killed after all had connected. The healthy rounds are on five
 * other servers: those that were killed do not come back.
 */
final class TwoKilled implements Scenario {

	private static final int ALIVE = 3;

	private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(1);

	@Override
	public String name() {
		return "killed";
	}

	@Override
	public String title() {
		return "Two of five servers killed, 1 thread";
	}

	@Override
	public Set<Site> sites() {
		return Set.of(Site.MAIN, Site.DOOMED);
	}

	@Override
	public Result run(Bench bench) {
		Load load = new Load(name(), false, 1, 0);
		List<RedisNode> servers = bench.sites().servers(Site.DOOMED);
		List<Lane> lanes = new ArrayList<>();
		for (Library library : bench.options().among(Library.withQuorum())) {
			String healthy = library.label() + " healthy";
			lanes.add(bench.lane(healthy, healthy, library, bench.sites().contender(Site.MAIN, library),
					bench.sites().servers(Site.MAIN), load));
			lanes.add(bench.lane(library.label() + " killed", healthy, library,
					bench.sites().contender(Site.DOOMED, library), servers.subList(0, ALIVE), load));
		}
		servers.subList(ALIVE, servers.size()).forEach(RedisNode::kill);
		LockSupport.parkNanos(SETTLE_NANOS);
		try {
			return new Result(name(), title(),
					List.of(RateTable.of(title(), lanes, bench.options().rounds().measure(lanes))));
		}
		finally {
			// They would go on trying to connect.
			bench.sites().leave(Site.DOOMED);
		}
	}

}

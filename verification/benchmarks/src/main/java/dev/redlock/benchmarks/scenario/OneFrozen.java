package dev.redlock.benchmarks.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import dev.redlock.benchmarks.contender.Contender;
import dev.redlock.benchmarks.contender.Library;
import dev.redlock.benchmarks.measure.Lane;
import dev.redlock.benchmarks.measure.Load;
import dev.redlock.benchmarks.measure.Round;
import dev.redlock.benchmarks.report.RateTable;
import dev.redlock.benchmarks.report.Result;
import dev.redlock.test.RedisNode;

/**
 * One server of five stopped where it is: its connections stay open and nothing is
 * answered. It is stopped anew for each turn.
 */
final class OneFrozen implements Scenario {

	private static final int FROZEN = 4;

	private static final long SETTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

	@Override
	public String name() {
		return "frozen";
	}

	@Override
	public String title() {
		return "One of five servers frozen, 1 thread";
	}

	@Override
	public Set<Site> sites() {
		return Set.of(Site.MAIN);
	}

	@Override
	public Result run(Bench bench) {
		List<RedisNode> servers = bench.sites().servers(Site.MAIN);
		List<RedisNode> answering = servers.subList(0, FROZEN);
		Load load = new Load(name(), false, 1, 0);
		List<Lane> lanes = new ArrayList<>();
		for (Library library : bench.options().among(Library.withQuorum())) {
			Contender contender = bench.sites().contender(Site.MAIN, library);
			Lane healthy = bench.lane(library.label() + " healthy", library.label() + " healthy", library, contender,
					answering, load);
			Lane frozen = bench.lane(library.label() + " frozen", healthy.label(), library, contender, answering, load);
			lanes.add(healthy);
			lanes.add(new Lane(frozen.label(), frozen.base(),
					(millis) -> whileFrozen(servers.get(FROZEN), contender, frozen, millis)));
		}
		return new Result(name(), title(),
				List.of(RateTable.of(title(), lanes, bench.options().rounds().measure(lanes))));
	}

	private static Round whileFrozen(RedisNode server, Contender contender, Lane lane, long millis) {
		server.freeze();
		try {
			return lane.measurement().apply(millis);
		}
		finally {
			server.thaw();
			// It works off what it was sent meanwhile before it answers.
			server.command("PING");
			LockSupport.parkNanos(SETTLE_NANOS);
			contender.awaitReady();
		}
	}

}

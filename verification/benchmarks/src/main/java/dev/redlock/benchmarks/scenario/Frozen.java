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
 * The last servers of five stopped where they are: their connections stay open and
 * nothing is answered. They are stopped anew for each turn.
 *
 * @param name the name on the command line
 * @param title what is done, in a sentence
 * @param frozen how many servers
 */
record Frozen(String name, String title, int frozen) implements Scenario {

	private static final long SETTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

	@Override
	public Set<Site> sites() {
		return Set.of(Site.MAIN);
	}

	@Override
	public Result run(Bench bench) {
		List<RedisNode> servers = bench.sites().servers(Site.MAIN);
		int answer = servers.size() - this.frozen;
		List<RedisNode> answering = servers.subList(0, answer);
		List<RedisNode> stopped = servers.subList(answer, servers.size());
		Load load = new Load(this.name, false, 1, 0);
		List<Lane> lanes = new ArrayList<>();
		for (Library library : bench.options().among(Library.withQuorum())) {
			Contender contender = bench.sites().contender(Site.MAIN, library);
			Lane healthy = bench.lane(library.label() + " healthy", library.label() + " healthy", library, contender,
					answering, load);
			Lane frozen = bench.lane(library.label() + " frozen", healthy.label(), library, contender, answering, load);
			lanes.add(healthy);
			lanes.add(new Lane(frozen.label(), frozen.base(),
					(millis) -> whileFrozen(stopped, contender, frozen, millis)));
		}
		return new Result(this.name, this.title,
				List.of(RateTable.of(this.title, lanes, bench.options().rounds().measure(lanes))));
	}

	private static Round whileFrozen(List<RedisNode> servers, Contender contender, Lane lane, long millis) {
		servers.forEach(RedisNode::freeze);
		try {
			return lane.measurement().apply(millis);
		}
		finally {
			servers.forEach(RedisNode::thaw);
			// They work off what they were sent meanwhile before they answer.
			servers.forEach((server) -> server.command("PING"));
			LockSupport.parkNanos(SETTLE_NANOS);
			contender.awaitReady();
		}
	}

}

package dev.redlock.benchmarks.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.redlock.benchmarks.contender.Contender;
import dev.redlock.benchmarks.contender.Library;
import dev.redlock.benchmarks.measure.Lane;
import dev.redlock.benchmarks.measure.Load;
import dev.redlock.benchmarks.report.Part;
import dev.redlock.benchmarks.report.RateTable;
import dev.redlock.benchmarks.report.Result;
import dev.redlock.nemesis.proxy.FaultProxy;
import dev.redlock.nemesis.proxy.Traffic;
import dev.redlock.test.RedisNode;

/**
 * A proxy in front of each server that lets every byte wait.
 */
final class SlowNetwork implements Scenario {

	private static final List<Duration> ROUND_TRIPS = List.of(Duration.ofMillis(1), Duration.ofMillis(5));

	/**
	 * The largest part of the delay that comes on top of it at random.
	 */
	private static final int JITTER = 5;

	private static final int CROWD = 8;

	@Override
	public String name() {
		return "delay";
	}

	@Override
	public String title() {
		return "A network with a delay";
	}

	@Override
	public Set<Site> sites() {
		return Set.of(Site.MAIN);
	}

	@Override
	public Result run(Bench bench) {
		List<FaultProxy> proxies = bench.sites()
			.servers(Site.MAIN)
			.stream()
			.map(RedisNode::port)
			.map(FaultProxy::to)
			.toList();
		Map<Library, Contender> contenders = new EnumMap<>(Library.class);
		try {
			List<Integer> ports = proxies.stream().map(FaultProxy::port).toList();
			for (Library library : bench.options().among(Library.all())) {
				contenders.put(library, library.open(ports, bench.options().terms()));
			}
			List<Part> parts = new ArrayList<>();
			for (Duration roundTrip : ROUND_TRIPS) {
				Duration oneWay = roundTrip.dividedBy(2);
				proxies.forEach((proxy) -> proxy.set(Traffic.delayed(oneWay, oneWay.dividedBy(JITTER))));
				parts.add(part(bench, contenders, roundTrip, 1));
				parts.add(part(bench, contenders, roundTrip, CROWD));
			}
			return new Result(name(), title(), parts);
		}
		finally {
			contenders.values().forEach(Contender::close);
			proxies.forEach(FaultProxy::close);
		}
	}

	private static Part part(Bench bench, Map<Library, Contender> contenders, Duration roundTrip, int threads) {
		Load load = new Load("delay", threads > 1, threads, 0);
		List<Lane> lanes = contenders.entrySet()
			.stream()
			.filter((entry) -> threads == 1 || Library.thatWait().contains(entry.getKey()))
			.map((entry) -> bench.lane(entry.getKey().label(), Library.FLOOR.label(), entry.getKey(), entry.getValue(),
					bench.sites().servers(Site.MAIN), load))
			.toList();
		String heading = "Round trip of " + roundTrip.toMillis() + " ms, "
				+ ((threads == 1) ? "1 thread" : threads + " threads of one JVM, one lock");
		return RateTable.of(heading, lanes, bench.options().rounds().brief().measure(lanes));
	}

}

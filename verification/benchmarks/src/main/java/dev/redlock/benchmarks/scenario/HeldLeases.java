package dev.redlock.benchmarks.scenario;

import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import dev.redlock.benchmarks.contender.Library;
import dev.redlock.benchmarks.measure.Commands;
import dev.redlock.benchmarks.report.Format;
import dev.redlock.benchmarks.report.Part;
import dev.redlock.benchmarks.report.Result;
import dev.redlock.benchmarks.report.Table;
import dev.redlock.test.RedisNode;

/**
 * Many leases of this library held and renewed by one process.
 */
final class HeldLeases implements Scenario {

	@Override
	public String name() {
		return "held";
	}

	@Override
	public String title() {
		return "Leases of this library held and renewed by one JVM";
	}

	@Override
	public Set<Site> sites() {
		return Set.of(Site.QUIET);
	}

	@Override
	public Result run(Bench bench) {
		int leases = bench.options().leases();
		int seconds = bench.options().holdSeconds();
		List<RedisNode> servers = bench.sites().servers(Site.QUIET);
		List<String> arguments = Stream
			.concat(Stream.of(Integer.toString(leases), Long.toString(bench.options().maxTtl().toMillis())),
					bench.sites().ports(Site.QUIET).stream().map(String::valueOf))
			.toList();
		try (ChildJvm child = ChildJvm.start(ClassPath.ofThisProcess().entries(), List.of("-Xmx1g", "-XX:+UseSerialGC"),
				HeldChild.class, arguments)) {
			child.hear();
			Commands before = Commands.of(servers);
			LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(seconds));
			Commands commands = Commands.of(servers).since(before);
			child.say("");
			HeldState state = HeldState.decode(child.hear());
			double each = (double) leases * seconds * servers.size();
			Table table = new Table(
					List.of("leases", "seconds", "lost", "threads before", "threads with them", "heap per lease",
							"sent per lease, server and second", "executed", "processor time"),
					List.of(List.of(Integer.toString(leases), Integer.toString(seconds), Long.toString(state.lost()),
							Integer.toString(state.threadsBefore()), Integer.toString(state.threads()),
							Format.number(state.heapPerLease()) + " B",
							Format.number(commands.sent(Library.REDLOCK.plainCommands()) / each),
							Format.number(commands.all() / each), Format.number(state.cpuSeconds()) + " s")));
			return new Result(name(), title(), List.of(new Part(title(), table)));
		}
	}

}

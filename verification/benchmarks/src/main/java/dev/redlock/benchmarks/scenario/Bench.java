package dev.redlock.benchmarks.scenario;

import java.util.List;
import java.util.function.Supplier;

import dev.redlock.benchmarks.contender.Contender;
import dev.redlock.benchmarks.contender.Library;
import dev.redlock.benchmarks.measure.Commands;
import dev.redlock.benchmarks.measure.Lane;
import dev.redlock.benchmarks.measure.Load;
import dev.redlock.benchmarks.measure.Round;
import dev.redlock.benchmarks.measure.SharedCounter;
import dev.redlock.benchmarks.measure.Tally;
import dev.redlock.test.RedisNode;

/**
 * What scenarios work with.
 *
 * @param options what the run was asked for
 * @param sites its servers
 * @param counter what a lock that all threads want protects
 */
record Bench(Options options, Sites sites, SharedCounter counter) {

	/**
	 * A lane that puts a load on a contender in this process.
	 */
	Lane lane(String label, String base, Library library, Contender contender, List<RedisNode> servers, Load load) {
		return new Lane(label, base, (millis) -> measure(library, servers, load.shared(),
				() -> load.lasting(millis).run(contender, work(load))));
	}

	/**
	 * Watches one round from outside.
	 */
	Round measure(Library library, List<RedisNode> servers, boolean guarded, Supplier<Tally> load) {
		List<RedisNode> used = servers.subList(0, Math.min(servers.size(), library.serversOf(servers.size())));
		Commands before = Commands.of(used);
		long countBefore = this.counter.get();
		Tally tally = load.get();
		boolean exact = !guarded || this.counter.get() - countBefore == tally.total();
		Commands commands = Commands.of(used).since(before);
		return Round.of(tally, exact, commands.sent(library.plainCommands()), commands.all(), used.size());
	}

	private Runnable work(Load load) {
		return load.shared() ? this.counter::increment : () -> {
		};
	}

}

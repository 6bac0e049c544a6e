package dev.redlock.benchmarks.scenario;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import dev.redlock.benchmarks.contender.Terms;
import dev.redlock.benchmarks.measure.Rounds;
import org.jspecify.annotations.Nullable;

/**
 * What a comparison with etcd and ZooKeeper is asked for on its command line.
 *
 * @param scenarios the names of the scenarios
 * @param members how many servers of each kind, one measurement for each
 * @param rounds how lanes are measured
 * @param faults how often each fault is repeated
 * @param terms what all contenders are given alike
 * @param out the directory for tables and plots, if they are to be written
 */
public record ConsensusOptions(List<String> scenarios, List<Integer> members, Rounds rounds, int faults, Terms terms,
		@Nullable Path out) {

	static final String ALONE = "alone";

	static final String OWN_KEYS = "own-keys";

	static final String HOT = "hot";

	static final String KILLED = "leader-killed";

	static final String FROZEN = "member-frozen";

	private static final List<String> ALL = List.of(ALONE, OWN_KEYS, HOT, KILLED, FROZEN);

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	/**
	 * Checks the names of the scenarios.
	 */
	public ConsensusOptions {
		scenarios = scenarios.isEmpty() ? ALL : List.copyOf(scenarios);
		members = List.copyOf(members);
		if (!ALL.containsAll(scenarios)) {
			throw new IllegalArgumentException("consensus knows " + ALL + ", not all of " + scenarios);
		}
	}

	/**
	 * Reads the command line.
	 * @param arguments what follows the name of the command
	 * @return the options
	 */
	public static ConsensusOptions parse(List<String> arguments) {
		Options.Reader reader = new Options.Reader(new ArrayList<>(arguments));
		Duration ttl = Duration.ofMillis(reader.number("--ttl-millis", 10_000));
		Rounds rounds = new Rounds(reader.number("--rounds", 5), reader.number("--round-millis", 1_000),
				reader.number("--warm-up-millis", 2_000));
		List<Integer> members = Arrays.stream(reader.text("--members", "3,5").split(","))
			.map(Integer::valueOf)
			.toList();
		int faults = reader.number("--faults", 3);
		String out = reader.text("--out", "");
		return new ConsensusOptions(reader.rest(), members, rounds, faults, new Terms(ttl, PATIENCE, ttl),
				out.isEmpty() ? null : Path.of(out));
	}

}

package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A caller that locks {a, b} beside one that locks a and one that locks b, each again and
 * again without a gap.
 */
class FairnessBetweenNamesTests {

	private static final Duration RUN = Duration.ofSeconds(10);

	private static final int SEEDS = 3;

	private static final List<String[]> NAMES = List.of(new String[] { "a" }, new String[] { "b" },
			new String[] { "a", "b" });

	@ParameterizedTest
	@ValueSource(ints = { 3, 10, 40, 100 })
	void eachOfThreeProcessesGetsAFifth(int holdMillis) {
		for (long seed = 1; seed <= SEEDS; seed++) {
			LockWorld world = LockWorld.distant(seed, 5);
			assertShares(world, Stream.generate(world::distantProcess).limit(3).toList(), holdMillis);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 3, 10, 40, 100 })
	void eachOfThreeThreadsOfOneProcessGetsAFifth(int holdMillis) {
		for (long seed = 1; seed <= SEEDS; seed++) {
			LockWorld world = LockWorld.distant(seed, 5);
			Redlock process = world.distantProcess();
			assertShares(world, List.of(process, process, process), holdMillis);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 3, 10, 40 })
	void aStreamOfRequestsForOneNameLeavesItsShareToOneForBoth(int holdMillis) {
		LockWorld world = LockWorld.distant(1, 5);
		Redlock process = world.distantProcess();
		Duration hold = Duration.ofMillis(holdMillis);
		List<Asker> many = Stream.generate(() -> new Asker(process, world.time, hold, "a").start()).limit(8).toList();
		Asker both = new Asker(process, world.time, hold, "a", "b").start();
		world.time.advance(RUN);
		int total = both.locks + many.stream().mapToInt((asker) -> asker.locks).sum();
		assertThat((double) both.locks / total).as("the share of both, %s of %s", both.locks, total)
			.isGreaterThan(0.05);
		assertThat(both.refusals).isZero();
	}

	private static void assertShares(LockWorld world, List<Redlock> processes, int holdMillis) {
		List<Asker> askers = IntStream.range(0, NAMES.size())
			.mapToObj((i) -> new Asker(processes.get(i), world.time, Duration.ofMillis(holdMillis), NAMES.get(i)))
			.toList();
		askers.forEach(Asker::start);
		world.time.advance(RUN);
		List<Integer> locks = askers.stream().map((asker) -> asker.locks).toList();
		double total = locks.stream().mapToInt(Integer::intValue).sum();
		assertThat(locks).as("locks of a, b and both")
			.allSatisfy((count) -> assertThat(count / total).isGreaterThanOrEqualTo(0.2));
		assertThat(askers).allMatch((asker) -> asker.refusals == 0);
	}

}

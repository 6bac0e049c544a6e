package dev.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Processes that want the same lock again and again beside a client of another library,
 * which only asks now and then.
 */
class FairnessBesidePollersTests {

	private static final Duration RUN = Duration.ofSeconds(30);

	private static final int SEEDS = 5;

	/**
	 * Over several runs: in a single one the poller may never ask while the only process
	 * has let go of the lock.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 3, 10, 40 })
	void aPollerAndAProcessBothGetAShare(int holdMillis) {
		int[] locks = new int[2];
		for (long seed = 1; seed <= SEEDS; seed++) {
			count(locks, seed, Duration.ofMillis(holdMillis));
		}
		assertSmallestShare(locks, 0.01);
	}

	@ParameterizedTest
	@ValueSource(ints = { 3, 10, 40 })
	void aPollerAndEachOfTwoProcessesGetAShareInEachRun(int holdMillis) {
		int[] all = new int[3];
		for (long seed = 1; seed <= SEEDS; seed++) {
			int[] locks = new int[3];
			count(locks, seed, Duration.ofMillis(holdMillis));
			assertSmallestShare(locks, 0.02);
			Arrays.setAll(all, (i) -> all[i] + locks[i]);
		}
		assertSmallestShare(all, 0.03);
	}

	private static void assertSmallestShare(int[] locks, double smallest) {
		double least = Arrays.stream(locks).min().orElseThrow();
		assertThat(least / Arrays.stream(locks).sum())
			.as("the smallest share of %s, where the poller is the last", Arrays.toString(locks))
			.isGreaterThanOrEqualTo(smallest);
	}

	private static void count(int[] locks, long seed, Duration hold) {
		LockWorld world = LockWorld.distant(seed, 5);
		List<Asker> askers = new ArrayList<>();
		for (int i = 0; i < locks.length - 1; i++) {
			askers.add(new Asker(world.distantProcess(), world.time, hold).start());
		}
		Poller poller = new Poller(world.connect(), world.time, hold, new SplittableRandom(seed));
		poller.start();
		world.time.advance(RUN);
		for (int i = 0; i < askers.size(); i++) {
			locks[i] += askers.get(i).locks;
		}
		locks[askers.size()] += poller.locks;
	}

}

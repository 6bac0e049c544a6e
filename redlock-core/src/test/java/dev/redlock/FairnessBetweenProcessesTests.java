package dev.redlock;

import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Processes that want the same lock again and again, without a gap.
 */
class FairnessBetweenProcessesTests {

	private static final Duration RUN = Duration.ofSeconds(10);

	private static final int SEEDS = 5;

	/** From a release to the lock in another process: release, announcement, round. */
	private static final Duration HANDED_ON = LockWorld.DISTANCE.multipliedBy(6);

	@ParameterizedTest
	@ValueSource(ints = { 3, 10, 20, 40, 100, 600 })
	void eachOfTwoProcessesWithOneThreadGetsItsShareAndSoon(int holdMillis) {
		for (long seed = 1; seed <= SEEDS; seed++) {
			Run run = new Run(seed, holdMillis, 1, 1);
			run.go(RUN);
			run.assertShares(0.4);
			run.assertLongestWait(Duration.ofMillis(10L * holdMillis + 100));
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 3, 10, 20, 40, 100, 600 })
	void twoProcessesGetAsManyLocksAsStrictAlternationWouldGive(int holdMillis) {
		long cycleNanos = Duration.ofMillis(holdMillis).plus(HANDED_ON).toNanos();
		for (long seed = 1; seed <= SEEDS; seed++) {
			Run run = new Run(seed, holdMillis, 1, 1);
			run.go(RUN);
			assertThat(run.total()).as("all locks, %s", run).isGreaterThan((int) (0.9 * RUN.toNanos() / cycleNanos));
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 3, 10, 40 })
	void twoProcessesInEachOfWhichOthersWaitKeepTakingTurns(int holdMillis) {
		Run run = new Run(1, holdMillis, 2, 2);
		run.go(RUN);
		run.assertShares(0.2);
		run.assertLongestWait(Duration.ofMillis(10L * holdMillis + 100));
	}

	@ParameterizedTest
	@ValueSource(ints = { 3, 10, 40 })
	void aProcessWithManyThreadsLeavesItsShareToOneWithASingleThread(int holdMillis) {
		Run run = new Run(1, holdMillis, 8, 1);
		run.go(RUN);
		run.assertShares(0.05);
		run.assertLongestWait(Duration.ofMillis(30L * holdMillis + 100));
	}

	@ParameterizedTest
	@ValueSource(ints = { 3, 10, 40 })
	void noneOfFourProcessesGetsLessThanHalfOfItsShare(int holdMillis) {
		for (long seed = 1; seed <= SEEDS; seed++) {
			Run run = new Run(seed, holdMillis, 1, 1, 1, 1);
			run.go(RUN);
			run.assertShares(0.125);
			run.assertLongestWait(Duration.ofMillis(20L * holdMillis + 100));
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 3, 10, 40 })
	void aProcessThatIsAloneNeverPausesBetweenTwoLocks(int holdMillis) {
		Run run = new Run(1, holdMillis, 1);
		run.go(RUN);
		run.assertLongestWait(LockWorld.DISTANCE.multipliedBy(4));
	}

	@ParameterizedTest
	@ValueSource(ints = { 3, 10, 40 })
	void aProcessThatIsAloneAgainPausesNoMore(int holdMillis) {
		Run run = new Run(1, holdMillis, 1, 1);
		run.go(Duration.ofSeconds(2));
		run.askers.get(1).stop();
		run.go(Duration.ofSeconds(2));
		run.askers.forEach(Asker::forgetTheWaits);
		run.go(Duration.ofSeconds(2));
		assertThat(run.askers.get(0).longestWait()).as("%s", run).isLessThan(LockWorld.DISTANCE.multipliedBy(4));
	}

	private static final class Run {

		private final LockWorld world;

		private final List<Asker> askers;

		private final long seed;

		/**
		 * One process for each number of threads.
		 */
		Run(long seed, int holdMillis, int... threads) {
			this.seed = seed;
			this.world = LockWorld.distant(seed, 5);
			Duration hold = Duration.ofMillis(holdMillis);
			this.askers = Arrays.stream(threads).boxed().flatMap((count) -> {
				Redlock process = this.world.distantProcess();
				return Stream.generate(() -> new Asker(process, this.world.time, hold)).limit(count);
			}).toList();
			this.askers.forEach(Asker::start);
		}

		void go(Duration time) {
			this.world.time.advance(time);
		}

		int total() {
			return this.askers.stream().mapToInt((asker) -> asker.locks).sum();
		}

		void assertShares(double smallest) {
			double least = this.askers.stream().mapToInt((asker) -> asker.locks).min().orElseThrow();
			assertThat(least / total()).as("the smallest share, %s", this).isGreaterThanOrEqualTo(smallest);
		}

		void assertLongestWait(Duration longest) {
			Duration wait = this.askers.stream().map(Asker::longestWait).max(Comparator.naturalOrder()).orElseThrow();
			assertThat(wait).as("the longest wait, %s", this).isLessThanOrEqualTo(longest);
			assertThat(this.askers).as("%s", this).allMatch((asker) -> asker.refusals == 0);
		}

		@Override
		public String toString() {
			return "seed " + this.seed + ", locks " + this.askers.stream().map((asker) -> asker.locks).toList()
					+ ", longest waits " + this.askers.stream().map(Asker::longestWait).toList();
		}

	}

}

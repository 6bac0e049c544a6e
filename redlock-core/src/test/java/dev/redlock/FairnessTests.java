package dev.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Processes that want the same locks again and again, without a gap.
 */
class FairnessTests {

	private static final Duration RUN = Duration.ofSeconds(10);

	private static final int SEEDS = 3;

	/** From a release to the lock in another process: release, announcement, round. */
	private static final Duration HANDED_ON = LockWorld.DISTANCE.multipliedBy(6);

	@ParameterizedTest
	@ValueSource(ints = { 3, 20, 100, 600 })
	void twoProcessesTakeTurnsAndLoseNoTime(int holdMillis) {
		long cycleNanos = Duration.ofMillis(holdMillis).plus(HANDED_ON).toNanos();
		for (long seed = 1; seed <= SEEDS; seed++) {
			Run run = new Run(seed, holdMillis).process(1, "stock").process(1, "stock").go(RUN);
			run.assertShares(0.4);
			run.assertLongestWait(Duration.ofMillis(10L * holdMillis + 100));
			assertThat(run.total()).as("all locks, %s", run).isGreaterThan((int) (0.9 * RUN.toNanos() / cycleNanos));
		}
	}

	/**
	 * The threads of each process, the least share of each thread, and its longest wait.
	 */
	@ParameterizedTest
	@CsvSource({ "2 2, 0.2, 10", "8 1, 0.05, 30", "1 1 1 1, 0.125, 20" })
	void eachOfSeveralThreadsGetsItsShareAndSoon(String threads, double share, int holds) {
		for (int holdMillis : new int[] { 3, 40 }) {
			Run run = new Run(1, holdMillis);
			Stream.of(threads.split(" ")).forEach((count) -> run.process(Integer.parseInt(count), "stock"));
			run.go(RUN);
			run.assertShares(share);
			run.assertLongestWait(Duration.ofMillis((long) holds * holdMillis + 100));
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 3, 10, 40 })
	void aProcessThatIsAloneOrAloneAgainNeverPausesBetweenTwoLocks(int holdMillis) {
		new Run(1, holdMillis).process(1, "stock").go(RUN).assertLongestWait(LockWorld.DISTANCE.multipliedBy(4));
		Run run = new Run(1, holdMillis).process(1, "stock").process(1, "stock").go(Duration.ofSeconds(2));
		run.askers.get(1).stop();
		run.go(Duration.ofSeconds(2));
		run.askers.get(0).forgetTheWaits();
		run.go(Duration.ofSeconds(2));
		assertThat(run.askers.get(0).longestWait()).as("%s", run).isLessThan(LockWorld.DISTANCE.multipliedBy(4));
	}

	/** A client of another library only asks now and then. */
	@ParameterizedTest
	@CsvSource({ "3, 1, 0.01", "40, 1, 0.01", "3, 2, 0.03", "40, 2, 0.03" })
	void aPollerAndEachProcessGetAShare(int holdMillis, int processes, double smallest) {
		int[] locks = new int[processes + 1];
		for (long seed = 1; seed <= 5; seed++) {
			Run run = new Run(seed, holdMillis);
			IntStream.range(0, processes).forEach((i) -> run.process(1, "stock"));
			Poller poller = new Poller(run.world.connect(), run.world.time, run.hold, new SplittableRandom(seed));
			poller.start();
			run.go(Duration.ofSeconds(30));
			Arrays.setAll(locks, (i) -> locks[i] + ((i < processes) ? run.askers.get(i).locks : poller.locks));
		}
		assertThat((double) Arrays.stream(locks).min().orElseThrow() / Arrays.stream(locks).sum())
			.as("the smallest share of %s, where the poller is the last", Arrays.toString(locks))
			.isGreaterThanOrEqualTo(smallest);
	}

	/** One caller locks {a, b}, one a and one b. */
	@ParameterizedTest
	@CsvSource({ "3, true", "100, true", "3, false", "100, false" })
	void eachOfThreeCallersWithOverlappingNamesGetsAFifth(int holdMillis, boolean oneProcess) {
		for (long seed = 1; seed <= SEEDS; seed++) {
			Run run = new Run(seed, holdMillis);
			Redlock process = run.world.distantProcess();
			for (String names : List.of("a", "b", "a b")) {
				run.threads(oneProcess ? process : run.world.distantProcess(), 1, LockRequest.of(names.split(" ")));
			}
			run.go(RUN).assertShares(0.2);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 3, 10, 40 })
	void aStreamOfRequestsForOneNameLeavesItsShareToOneForBoth(int holdMillis) {
		Run run = new Run(1, holdMillis);
		Redlock process = run.world.distantProcess();
		run.threads(process, 8, LockRequest.of("a")).threads(process, 1, LockRequest.of("a", "b")).go(RUN);
		assertThat((double) run.askers.get(8).locks / run.total()).as("%s", run).isGreaterThan(0.05);
	}

	@ParameterizedTest
	@CsvSource({ "1, 4, 1", "2, 8, 1", "3, 8, 8" })
	void noProcessGetsLessThanAFifthOfThePermits(int permits, int threads, int otherThreads) {
		Run run = new Run(permits + threads, 3);
		LockRequest one = LockRequest.of("ocr").withPermits(permits);
		run.threads(run.world.distantProcess(), threads, one)
			.threads(run.world.distantProcess(), otherThreads, one)
			.go(RUN);
		int first = run.askers.subList(0, threads).stream().mapToInt((asker) -> asker.locks).sum();
		assertThat(Math.min(first, run.total() - first)).as("%s", run).isGreaterThan(run.total() / 5);
	}

	private static final class Run {

		private final LockWorld world;

		private final Duration hold;

		private final List<Asker> askers = new ArrayList<>();

		Run(long seed, int holdMillis) {
			this.world = LockWorld.distant(seed, 5);
			this.hold = Duration.ofMillis(holdMillis);
		}

		Run process(int threads, String name) {
			return threads(this.world.distantProcess(), threads, LockRequest.of(name));
		}

		Run threads(Redlock process, int count, LockRequest request) {
			for (int i = 0; i < count; i++) {
				this.askers.add(new Asker(process, this.world.time, this.hold, request).start());
			}
			return this;
		}

		Run go(Duration time) {
			this.world.time.advance(time);
			return this;
		}

		int total() {
			return this.askers.stream().mapToInt((asker) -> asker.locks).sum();
		}

		void assertShares(double smallest) {
			double least = this.askers.stream().mapToInt((asker) -> asker.locks).min().orElseThrow();
			assertThat(least / total()).as("the smallest share, %s", this).isGreaterThanOrEqualTo(smallest);
			assertThat(this.askers).as("%s", this).allMatch((asker) -> asker.refusals == 0);
		}

		void assertLongestWait(Duration longest) {
			assertThat(this.askers).as("%s", this).allMatch((asker) -> asker.longestWait().compareTo(longest) <= 0);
		}

		@Override
		public String toString() {
			return "locks " + this.askers.stream().map((asker) -> asker.locks).toList() + ", longest waits "
					+ this.askers.stream().map(Asker::longestWait).toList();
		}

	}

}

package dev.redlock;

import java.time.Duration;
import java.util.ArrayList;
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

	@ParameterizedTest
	@ValueSource(ints = { 3, 10, 40 })
	void aPollerAndAProcessBothGetAShare(int holdMillis) {
		assertShares(1, holdMillis, 0.01);
	}

	@ParameterizedTest
	@ValueSource(ints = { 3, 10, 40 })
	void aPollerAndEachOfTwoProcessesGetAShare(int holdMillis) {
		assertShares(2, holdMillis, 0.03);
	}

	private static void assertShares(int processes, int holdMillis, double smallest) {
		Duration hold = Duration.ofMillis(holdMillis);
		DistantServers servers = new DistantServers(1);
		List<Asker> askers = new ArrayList<>();
		for (int i = 0; i < processes; i++) {
			askers.add(new Asker(servers.process(), servers.time, hold).start());
		}
		Poller poller = new Poller(servers.connect(), servers.time, hold, new SplittableRandom(1));
		poller.start();
		servers.time.advance(RUN);
		List<Integer> locks = new ArrayList<>(askers.stream().map((asker) -> asker.locks).toList());
		locks.add(poller.locks);
		double total = locks.stream().mapToInt(Integer::intValue).sum();
		double least = locks.stream().mapToInt(Integer::intValue).min().orElseThrow();
		assertThat(least / total).as("the smallest share of %s, where the poller is the last", locks)
			.isGreaterThanOrEqualTo(smallest);
	}

}

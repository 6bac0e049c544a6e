package dev.redlock.nemesis;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A lock is held on a bare majority, and the clock of one server of that steps forward by
 * little, which ends the lock there a little early. A step is noticed, or it is less than
 * what is taken off the validity of every lease for steps that are not.
 */
@Tag("slow")
class SmallStepTests {

	private static final Duration TTL = Duration.ofSeconds(3);

	private static final Duration LONG_TTL = Duration.ofSeconds(5);

	/**
	 * Clocks run alike on one machine. Without an allowance nothing hides behind it.
	 */
	private static final String NO_DRIFT = "0.0001";

	@TempDir
	private Path directory;

	@AutoClose
	private SteppedClients clients;

	@ParameterizedTest(name = "{0} ms")
	@ValueSource(ints = { 40, 100, 240 })
	void aServerWhoseClockStepsForwardALittleGrantsNoSecondLease(int stepMillis) {
		start(TTL, TTL, NO_DRIFT);
		assertNoSecondLeaseAfter(Duration.ofMillis(stepMillis));
	}

	@Test
	void whatIsAllowedForDriftOverTheLongestTtlHidesNoStep() {
		// With a drift factor of one percent and a max-ttl of 60 s, that is 600 ms too.
		start(TTL, TTL.multipliedBy(2), "0.1");
		assertNoSecondLeaseAfter(Duration.ofMillis(550));
	}

	@ParameterizedTest(name = "{0} steps of {1} ms")
	@CsvSource({ "25, 45", "10, 240" })
	void manySmallStepsOfAClockAreNoticedByTheirSum(int steps, int stepMillis) {
		start(LONG_TTL, LONG_TTL, NO_DRIFT);
		Redlock first = this.clients.connect();
		Redlock second = this.clients.connect();
		Lease lease = this.clients.holdOnABareMajority(first);
		for (int i = 1; i <= steps; i++) {
			this.clients.setClock(1, Duration.ofMillis((long) i * stepMillis));
			useAllForAWhile(second);
		}
		SteppedClients.getsNoLockWhileValid(second, lease);
	}

	private void start(Duration ttl, Duration maxTtl, String driftFactor) {
		this.clients = new SteppedClients(this.directory,
				Map.of("redlock.ttl", ttl, "redlock.max-ttl", maxTtl, "redlock.clock-drift-factor", driftFactor));
	}

	private void assertNoSecondLeaseAfter(Duration step) {
		Redlock first = this.clients.connect();
		Redlock second = this.clients.connect();
		useAll(second);
		Lease lease = this.clients.holdOnABareMajority(first);
		this.clients.setClock(1, step);
		SteppedClients.getsNoLockWhileValid(second, lease);
	}

	/**
	 * Has each server tell its time: they do so when they grant.
	 */
	private static void useAll(Redlock redlock) {
		redlock.attemptAndWait(LockRequest.of("another")).lease().ifPresent(Lease::close);
	}

	/**
	 * For as long as a range is kept to compare the next one with, so that each step by
	 * itself is seen.
	 */
	private static void useAllForAWhile(Redlock redlock) {
		long start = System.nanoTime();
		Awaitility.await().atMost(SteppedClients.BOUND).pollInterval(Duration.ofMillis(5)).until(() -> {
			useAll(redlock);
			return System.nanoTime() - start > Duration.ofMillis(105).toNanos();
		});
	}

}

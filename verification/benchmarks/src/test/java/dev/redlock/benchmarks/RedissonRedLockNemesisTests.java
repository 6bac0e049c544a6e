package dev.redlock.benchmarks;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import dev.redlock.nemesis.Fault;
import dev.redlock.nemesis.Findings;
import dev.redlock.nemesis.LockDriver;
import dev.redlock.nemesis.NemesisRun;
import dev.redlock.nemesis.NemesisSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The nemesis suite over another library, as a control: it reports, and judges nothing.
 * {@code -Dredlock.nemesis.redisson=true}, with {@code redlock.nemesis.seconds} and
 * {@code redlock.nemesis.seed} as for the suite itself.
 */
@Timeout(value = 1, unit = TimeUnit.HOURS)
@EnabledIfSystemProperty(named = "redlock.nemesis.redisson", matches = "true")
class RedissonRedLockNemesisTests {

	/**
	 * What its documentation leaves to how servers are run does not happen.
	 */
	private static final Set<Fault> WELL_RUN_SERVERS = Fault.allBut(Fault.FLUSHALL, Fault.RESTART_EMPTY, Fault.KILL,
			Fault.CLOCK_FORWARD, Fault.CLOCK_BACK, Fault.SMALL_STEPS, Fault.CLOCK_FAR_AHEAD, Fault.CONFIG_DURABILITY);

	private static final Duration LENGTH = Duration.ofSeconds(Long.getLong("redlock.nemesis.seconds", 120));

	private static final long SEED = Long.getLong("redlock.nemesis.seed",
			ThreadLocalRandom.current().nextInt(1_000_000));

	@Test
	void withTheFaultsThatOurLockHasToStand() {
		report(RedissonRedLockDriver.class, Fault.allBut());
	}

	@Test
	void withServersThatNeverForgetAndWhoseClocksNeverStep() {
		report(RedissonRedLockDriver.class, WELL_RUN_SERVERS);
	}

	@Test
	void withSuchServersAndWithoutItsOwnWaiting() {
		report(PollingRedissonRedLockDriver.class, WELL_RUN_SERVERS);
	}

	private static void report(Class<? extends LockDriver> driver, Set<Fault> faults) {
		Findings findings = NemesisRun.run(NemesisSettings.of(driver, LENGTH, SEED, faults));
		assertThat(findings.acquisitions()).isPositive();
	}

}

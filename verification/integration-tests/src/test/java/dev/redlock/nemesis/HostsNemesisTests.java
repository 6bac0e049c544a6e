package dev.redlock.nemesis;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * The lock under real faults with each server and each client on a host of its own:
 * {@code -Dredlock.nemesis.hosts=true}, for ten minutes, or for
 * {@code redlock.nemesis.seconds}. A build tries the hosts themselves
 * ({@link HostNetworkTests}).
 */
@Timeout(value = 1, unit = TimeUnit.HOURS)
@EnabledIfSystemProperty(named = "redlock.nemesis.hosts", matches = "true")
class HostsNemesisTests {

	private static final Duration LENGTH = Duration.ofSeconds(Long.getLong("redlock.nemesis.seconds", 600));

	private static final long SEED = Long.getLong("redlock.nemesis.seed",
			ThreadLocalRandom.current().nextInt(1_000_000));

	@Test
	void onHostsOfTheirOwnNoPromiseIsBroken() {
		try {
			Findings findings = NemesisRun.run(
					NemesisSettings.of(RedlockDriver.class, LENGTH, SEED, Fault.allBut()).onHosts(),
					NemesisTests.HISTORIES);
			assertThat(findings.isClean()).as(findings::toString).isTrue();
			assertThat(findings.acquisitions()).isPositive();
		}
		catch (HostNetwork.Unavailable ex) {
			assumeTrue(false, ex.getMessage());
		}
	}

}

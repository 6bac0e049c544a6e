package dev.redlock.nemesis;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Leaders of four roles under real faults. Longer: {@code -Dredlock.nemesis.seconds=600}.
 * The same faults again: {@code -Dredlock.nemesis.seed=}. With the control:
 * {@code -Dredlock.nemesis.controls=true}.
 */
@Timeout(value = 1, unit = TimeUnit.HOURS)
@Tag("slow")
class LeadersNemesisTests {

	private static final Duration LENGTH = Duration.ofSeconds(Long.getLong("redlock.nemesis.seconds", 20));

	private static final Duration LENGTH_OF_CONTROL = Duration.ofSeconds(30);

	private static final int MOST_CONTROLS = 6;

	private static final long SEED = Long.getLong("redlock.nemesis.seed",
			ThreadLocalRandom.current().nextInt(1_000_000));

	@Test
	void thereAreNeverTwoLeadersAndTermsRise() {
		Findings findings = NemesisRun.run(NemesisSettings.of(LeadersDriver.class, LENGTH, SEED, Fault.allBut()));
		assertThat(findings.isClean()).as(findings::toString).isTrue();
		assertThat(findings.acquisitions()).isPositive();
	}

	@Test
	@EnabledIfSystemProperty(named = "redlock.nemesis.controls", matches = "true")
	void beyondThePromiseTheSuiteFindsTwoLeaders() {
		int overlaps = 0;
		for (int i = 0; i < MOST_CONTROLS && overlaps == 0; i++) {
			overlaps = NemesisRun
				.run(NemesisSettings.of(LeadersDriver.class, LENGTH_OF_CONTROL, SEED + i, Fault.allBut())
					.beyondThePromise())
				.overlaps();
		}
		assertThat(overlaps).isPositive();
	}

}

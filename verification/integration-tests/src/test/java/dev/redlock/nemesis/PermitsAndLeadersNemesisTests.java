package dev.redlock.nemesis;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two permits for each name, and leaders of four roles, under real faults. Longer:
 * {@code -Dredlock.nemesis.seconds=600}. The same faults again:
 * {@code -Dredlock.nemesis.seed=}. With the control:
 * {@code -Dredlock.nemesis.controls=true}.
 */
@Timeout(value = 1, unit = TimeUnit.HOURS)
@Tag("slow")
class PermitsAndLeadersNemesisTests {

	private static final Duration LENGTH = Duration.ofSeconds(Long.getLong("redlock.nemesis.seconds", 20));

	private static final Duration LENGTH_OF_CONTROL = Duration.ofSeconds(30);

	private static final int MOST_CONTROLS = 6;

	private static final long SEED = Long.getLong("redlock.nemesis.seed",
			ThreadLocalRandom.current().nextInt(1_000_000));

	@ParameterizedTest
	@ValueSource(classes = { PermitsDriver.class, LeadersDriver.class })
	void thereAreNeverMoreOwnersThanPermitsNorTwoLeaders(Class<? extends LockDriver> driver) {
		Findings findings = NemesisRun.run(NemesisSettings.of(driver, LENGTH, SEED, Fault.allBut()));
		assertThat(findings.isClean()).as(findings::toString).isTrue();
		assertThat(findings.acquisitions()).isPositive();
	}

	@ParameterizedTest
	@ValueSource(classes = { PermitsDriver.class, LeadersDriver.class })
	@EnabledIfSystemProperty(named = "redlock.nemesis.controls", matches = "true")
	void beyondThePromiseTheSuiteFindsOneOwnerTooMany(Class<? extends LockDriver> driver) {
		int overlaps = 0;
		for (int i = 0; i < MOST_CONTROLS && overlaps == 0; i++) {
			NemesisSettings settings = NemesisSettings.of(driver, LENGTH_OF_CONTROL, SEED + i, Fault.allBut());
			overlaps = NemesisRun.run(settings.beyondThePromise()).overlaps();
		}
		assertThat(overlaps).isPositive();
	}

}

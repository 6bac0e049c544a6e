package dev.redlock.nemesis;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The lock under real faults. Longer: {@code -Dredlock.nemesis.seconds=600}. The same
 * faults again: {@code -Dredlock.nemesis.seed=}, with the number that a run prints. Only
 * some kinds: {@code -Dredlock.nemesis.faults=small_steps,kill}. With the defaults of all
 * properties, ttl and largest ttl included: {@code -Dredlock.nemesis.defaults=true}. With
 * another number of servers that write to disk: {@code -Dredlock.nemesis.durable=5}.
 */
@Timeout(value = 2, unit = TimeUnit.HOURS)
@Tag("slow")
class NemesisTests {

	private static final Duration LENGTH = Duration.ofSeconds(Long.getLong("redlock.nemesis.seconds", 60));

	private static final Duration LENGTH_OF_CONTROL = Duration.ofSeconds(12);

	private static final int MOST_CONTROLS = 6;

	private static final long SEED = Long.getLong("redlock.nemesis.seed",
			ThreadLocalRandom.current().nextInt(1_000_000));

	private static final Set<Fault> FAULTS = faults(System.getProperty("redlock.nemesis.faults", ""));

	private static final boolean DEFAULTS = Boolean.getBoolean("redlock.nemesis.defaults");

	private static final int DURABLE = Integer.getInteger("redlock.nemesis.durable", 2);

	@Test
	void underRealFaultsNoPromiseIsBroken() {
		NemesisSettings settings = NemesisSettings
			.of(DEFAULTS ? DefaultsDriver.class : RedlockDriver.class, LENGTH, SEED, FAULTS)
			.withDurable(DURABLE);
		Findings findings = NemesisRun.run(settings);
		assertThat(findings.isClean()).as(findings::toString).isTrue();
		assertThat(findings.acquisitions()).isPositive();
	}

	@Test
	void beyondThePromiseTheSuiteFindsTheOverlap() {
		Findings findings = control(SEED);
		// A busy machine grants too few locks in one run.
		for (int i = 1; i < MOST_CONTROLS && findings.overlaps() == 0; i++) {
			findings = control(SEED + i);
		}
		assertThat(findings.overlaps()).as(findings::toString).isPositive();
	}

	private static Findings control(long seed) {
		return NemesisRun
			.run(NemesisSettings.of(RedlockDriver.class, LENGTH_OF_CONTROL, seed, FAULTS).beyondThePromise());
	}

	private static Set<Fault> faults(String names) {
		return names.isEmpty() ? Fault.allBut()
				: Arrays.stream(names.toUpperCase(Locale.ROOT).split(","))
					.map(Fault::valueOf)
					.collect(Collectors.toCollection(() -> EnumSet.noneOf(Fault.class)));
	}

}

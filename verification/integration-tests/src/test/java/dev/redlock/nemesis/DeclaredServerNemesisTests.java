package dev.redlock.nemesis;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Real faults for a lock on one server that is declared to keep what it has acknowledged.
 * A server that writes everything to disk keeps its word. One that is told to write
 * nothing more, and comes back with its old file, does not.
 */
@EnabledIfSystemProperty(named = "redlock.nemesis.declared", matches = "true")
class DeclaredServerNemesisTests {

	private static final Duration LENGTH = Duration.ofSeconds(Long.getLong("redlock.nemesis.seconds", 600));

	/** Long enough for two restarts, each of them after all clients have looked. */
	private static final Duration LENGTH_OF_CONTROL = Duration.ofSeconds(110);

	private static final long SEED = Long.getLong("redlock.nemesis.seed",
			ThreadLocalRandom.current().nextInt(1_000_000));

	private static final Set<Fault> KEEPING = EnumSet.of(Fault.RESTART_WITH_DATA, Fault.FREEZE, Fault.RESET,
			Fault.HALF_OPEN, Fault.PARTITION, Fault.LATE_REQUESTS, Fault.LATE_REPLIES, Fault.SLOW);

	@Test
	@Timeout(value = 30, unit = TimeUnit.MINUTES)
	void aServerThatKeepsItsWordKeepsThePromises() {
		Findings findings = run(LENGTH, SEED, KEEPING);
		assertThat(findings.isClean()).as(findings::toString).isTrue();
		assertThat(findings.acquisitions()).isPositive();
	}

	/**
	 * Whether somebody holds a lock when the old file comes back is a matter of chance.
	 */
	@Test
	@Timeout(value = 15, unit = TimeUnit.MINUTES)
	void aServerThatDoesNotIsCaught() {
		Set<Fault> lying = EnumSet.of(Fault.CONFIG_DURABILITY);
		Findings findings = run(LENGTH_OF_CONTROL, SEED, lying);
		for (int i = 1; i < 6 && findings.overlaps() == 0; i++) {
			findings = run(LENGTH_OF_CONTROL, SEED + i, lying);
		}
		assertThat(findings.overlaps()).as(findings::toString).isPositive();
	}

	private static Findings run(Duration length, long seed, Set<Fault> faults) {
		return NemesisRun.run(new NemesisSettings(DeclaredServerDriver.class, length, seed, faults, true, 2, 1));
	}

}

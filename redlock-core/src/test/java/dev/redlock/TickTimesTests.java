package dev.redlock;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The moments of a tick, to the microsecond.
 */
class TickTimesTests {

	private static final long DUE = 100_000_000;

	private static final Tick TICK = new Tick(DUE, Duration.ofSeconds(10), Duration.ofSeconds(2), false);

	private static final Tick AT_LEAST = Tick.atLeast(Duration.ofSeconds(10), Duration.ofSeconds(2));

	@Test
	void aTickIsDueEarlyByTheClockDifferenceAndNoEarlier() {
		assertThat(TICK.isDue(DUE - 2_000_000)).isTrue();
		assertThat(TICK.isDue(DUE - 2_000_001)).isFalse();
	}

	@Test
	void aTickMayBeMarkedEarlyByTwiceTheClockDifferenceAndNotBefore1970() {
		assertThat(TICK.earliestMicros()).isEqualTo(DUE - 4_000_000);
		assertThat(new Tick(1, Duration.ofSeconds(10), Duration.ofSeconds(2), false).earliestMicros()).isZero();
	}

	@Test
	void aTickIsRememberedForTwoIntervals() {
		assertThat(TICK.remembered()).isEqualTo(Duration.ofSeconds(20));
	}

	@Test
	void aTickThatCouldBeMarkedBeforeTheLossOfDataMayBeForgotten() {
		assertThat(TICK.mayBeForgotten(DUE - 4_000_000, 0)).isTrue();
		assertThat(TICK.mayBeForgotten(DUE - 4_000_001, 0)).isFalse();
	}

	@Test
	void aJobWithoutAScheduleMayBeForgottenForItsRestAndTheClockDifferenceAfterTheLoss() {
		assertThat(AT_LEAST.mayBeForgotten(DUE, DUE + 12_000_000)).isTrue();
		assertThat(AT_LEAST.mayBeForgotten(DUE, DUE + 12_000_001)).isFalse();
		assertThat(AT_LEAST.dueMicros()).isZero();
		assertThat(AT_LEAST.rerun()).isFalse();
	}

	@Test
	void aTickIsRefusedBefore1970WithAShortIntervalOrWithClocksThatDifferTooMuch() {
		assertThatIllegalArgumentException().isThrownBy(() -> tick(-1, 10, 2)).withMessageContaining("1970");
		assertThatIllegalArgumentException().isThrownBy(() -> Tick.at(0, Duration.ofNanos(999_999)))
			.withMessageContaining("millisecond");
		assertThatIllegalArgumentException().isThrownBy(() -> tick(DUE, 10, 6)).withMessageContaining("half");
		assertThatIllegalArgumentException().isThrownBy(() -> tick(DUE, 10, -1)).withMessageContaining("half");
		assertThat(tick(0, 10, 5).clockDifference()).isEqualTo(Duration.ofSeconds(5));
		assertThat(Tick.at(0, Duration.ofMillis(1)).interval()).isEqualTo(Duration.ofMillis(1));
	}

	@Test
	void aTickOfTwoSecondsAllowsOneSecond() {
		assertThat(Tick.at(1, Duration.ofSeconds(2)).clockDifference()).isEqualTo(Duration.ofSeconds(1));
		assertThat(Tick.at(1, Duration.ofSeconds(3)).clockDifference()).isEqualTo(Duration.ofSeconds(1));
		assertThat(Tick.at(1, Duration.ofSeconds(1)).clockDifference()).isEqualTo(Duration.ofMillis(500));
		assertThat(Tick.at(7, Duration.ofSeconds(3)).dueMicros()).isEqualTo(7_000);
	}

	private static Tick tick(long dueMicros, int intervalSeconds, int differenceSeconds) {
		return new Tick(dueMicros, Duration.ofSeconds(intervalSeconds), Duration.ofSeconds(differenceSeconds), false);
	}

}

package dev.redlock.internal.vote;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RoundTimesTests {

	private static final long MILLI = 1_000_000;

	private final RoundTimes times = new RoundTimes();

	@Test
	void theGraceIsFourTimesTheAverageOfTheRoundsWithinBounds() {
		assertThat(this.times.graceNanos()).as("without a round").isEqualTo(2 * MILLI);
		this.times.took(8 * MILLI);
		assertThat(this.times.graceNanos()).isEqualTo(32 * MILLI);
		this.times.took(16 * MILLI);
		assertThat(this.times.graceNanos()).as("moved by an eighth of the difference").isEqualTo(36 * MILLI);
		this.times.took(1_000 * MILLI);
		assertThat(this.times.graceNanos()).isEqualTo(100 * MILLI);
		RoundTimes fast = new RoundTimes();
		fast.took(400_000);
		assertThat(fast.graceNanos()).isEqualTo(2 * MILLI);
	}

}

package dev.redlock.internal;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RoundTimesTests {

	private static final long MILLI = 1_000_000;

	private final RoundTimes times = new RoundTimes();

	@Test
	void withoutARoundTheGraceIsTheShortest() {
		assertThat(this.times.graceNanos()).isEqualTo(2 * MILLI);
	}

	@Test
	void theGraceIsFourTimesTheFirstRound() {
		this.times.took(3 * MILLI);
		assertThat(this.times.graceNanos()).isEqualTo(12 * MILLI);
	}

	@Test
	void eachRoundMovesTheAverageByAnEighthOfTheDifference() {
		this.times.took(8 * MILLI);
		this.times.took(16 * MILLI);
		assertThat(this.times.graceNanos()).isEqualTo(36 * MILLI);
		this.times.took(MILLI);
		assertThat(this.times.graceNanos()).isEqualTo(32 * MILLI);
	}

	@Test
	void theGraceHasBounds() {
		this.times.took(26 * MILLI);
		assertThat(this.times.graceNanos()).isEqualTo(100 * MILLI);
		RoundTimes fast = new RoundTimes();
		fast.took(400_000);
		assertThat(fast.graceNanos()).isEqualTo(2 * MILLI);
	}

}

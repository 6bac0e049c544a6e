package dev.redlock.benchmarks.measure;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StatsTests {

	@Test
	void medianOfAnOddNumberIsTheOneInTheMiddle() {
		assertThat(Stats.median(9, 1, 5)).isEqualTo(5);
	}

	@Test
	void medianOfAnEvenNumberIsBetweenTheTwoInTheMiddle() {
		assertThat(Stats.median(4, 1, 9, 2)).isEqualTo(3);
	}

	@Test
	void nothingHasNoMedian() {
		assertThat(Stats.median()).isNaN();
		assertThat(Stats.min()).isNaN();
		assertThat(Stats.max()).isNaN();
	}

	@Test
	void ratiosAreTakenRoundByRound() {
		assertThat(Stats.ratios(new double[] { 2, 9 }, new double[] { 4, 3, 7 })).containsExactly(0.5, 3);
	}

}

package dev.redlock.benchmarks.measure;

import java.util.Arrays;
import java.util.SplittableRandom;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class WaitsTests {

	@Test
	void quantilesAreRightToOnePercent() {
		Waits waits = new Waits();
		SplittableRandom random = new SplittableRandom(42);
		long[] nanos = random.longs(10_000, 0, 40).map((power) -> random.nextLong(1L << power)).toArray();
		Arrays.stream(nanos).forEach(waits::record);
		Arrays.sort(nanos);
		for (double quantile : new double[] { 0.01, 0.5, 0.9, 0.99, 0.999 }) {
			double exact = nanos[(int) Math.ceil(quantile * nanos.length) - 1] / 1e3;
			assertThat(waits.micros(quantile)).isCloseTo(exact, within(exact * 0.01));
		}
		assertThat(waits.micros(1)).isEqualTo(nanos[nanos.length - 1] / 1e3);
	}

	@Test
	void theShortestAndTheLongestWaitsHaveABucket() {
		Waits waits = new Waits();
		waits.record(0);
		waits.record(Long.MAX_VALUE);
		assertThat(waits.micros(0)).isZero();
		assertThat(waits.micros(1)).isEqualTo(Long.MAX_VALUE / 1e3);
	}

	@Test
	void nothingHasNoQuantile() {
		assertThat(new Waits().micros(0.5)).isNaN();
	}

	@Test
	void survivesTheWayToAnotherProcess() {
		Waits waits = new Waits();
		waits.record(1_000);
		waits.record(2_000_000);
		Waits sum = new Waits();
		sum.add(Waits.decode(waits.encode()));
		sum.add(Waits.decode(new Waits().encode()));
		assertThat(sum.micros(0.5)).isCloseTo(1, within(0.01));
		assertThat(sum.micros(1)).isEqualTo(2_000);
	}

}

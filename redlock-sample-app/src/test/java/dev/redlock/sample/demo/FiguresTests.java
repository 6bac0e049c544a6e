package dev.redlock.sample.demo;

import java.util.stream.LongStream;

import dev.redlock.sample.demo.Turn.Phase;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FiguresTests {

	private static final long NOW = 100_000_000;

	private final Figures figures = new Figures();

	@Test
	void salesAreCountedOverThreeSeconds() {
		LongStream.rangeClosed(0, 5).forEach((second) -> sold(NOW - second * 1_000_000, 1));
		assertThat(this.figures.speed(NOW).soldPerSecond()).isEqualTo(4 / 3.0);
		assertThat(this.figures.lastSaleMicros()).isEqualTo(NOW - 5_000_000);
	}

	@Test
	void oneIn100WaitsLongerThanThe99thPercentile() {
		LongStream.rangeClosed(1, 200).forEach((millis) -> sold(NOW, millis));
		assertThat(this.figures.speed(NOW).p99WaitMillis()).isEqualTo(198.0);
		assertThat(this.figures.speed(NOW).medianWaitMillis()).isEqualTo(100.0);
	}

	@Test
	void whoDoesNotLockDoesNotWait() {
		this.figures
			.count(new Turn("JVM 1", 1, 1, Protection.NONE, NOW - 10, NOW - 10, 0, NOW, 0, false, Phase.SOLD, ""));
		assertThat(this.figures.speed(NOW).p99WaitMillis()).isNull();
		assertThat(this.figures.speed(NOW).soldPerSecond()).isPositive();
	}

	@Test
	void nothingIsLeftOfWhatWasCleared() {
		sold(NOW, 5);
		this.figures.clear();
		assertThat(this.figures.speed(NOW)).isEqualTo(new Figures.Speed(0, null, null));
	}

	private void sold(long endMicros, long waitMillis) {
		long holding = endMicros - 1_000;
		this.figures.count(new Turn("JVM 1", 1, 1, Protection.LOCK, holding - waitMillis * 1_000, holding, 0, endMicros,
				7, false, Phase.SOLD, ""));
	}

}

package dev.redlock.lettuce;

import java.time.Duration;

import dev.redlock.memory.ManualTime;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RecentMaximumTests {

	private static final Duration WINDOW = Duration.ofMinutes(1);

	private final ManualTime time = new ManualTime();

	private final RecentMaximum maximum = new RecentMaximum(WINDOW, this.time::nanoTime);

	@Test
	void aValueLastsForAtLeastOneWindowAndAtMostTwo() {
		this.time.advance(WINDOW.minusSeconds(1));
		this.maximum.record(5);
		this.time.advance(WINDOW);
		assertThat(this.maximum.get()).isEqualTo(5);
		this.time.advance(Duration.ofSeconds(1));
		assertThat(this.maximum.get()).isZero();
	}

	@Test
	void aSmallerValueShowsWhenTheLargerOneIsOver() {
		this.maximum.record(5);
		this.time.advance(WINDOW);
		this.maximum.record(3);
		assertThat(this.maximum.get()).isEqualTo(5);
		this.time.advance(WINDOW);
		assertThat(this.maximum.get()).isEqualTo(3);
		this.time.advance(WINDOW);
		assertThat(this.maximum.get()).isZero();
	}

}

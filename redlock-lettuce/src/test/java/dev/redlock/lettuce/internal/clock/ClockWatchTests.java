package dev.redlock.lettuce.internal.clock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

import dev.redlock.lettuce.NodeFixture;
import dev.redlock.lettuce.internal.check.ScriptedServer;
import dev.redlock.lettuce.internal.clock.ClockWatch.Range;
import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.memory.ManualTime;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ClockWatchTests {

	private static final Duration MAX_TTL = Duration.ofSeconds(10);

	private static final long SECOND = 1_000_000;

	private final ManualTime time = new ManualTime();

	private final ClockWatch watch = new ClockWatch(NodeFixture.settings(true, MAX_TTL), this.time,
			ScriptedServer.facts("a"));

	private long offsetMicros = 7 * SECOND;

	@Test
	void aClockThatOnlyGoesOnHasNotStepped() {
		for (int i = 0; i < 1000; i++) {
			assertThat(ask(Duration.ofMillis(1), Duration.ofMillis(1))).isZero();
			this.time.advance(Duration.ofMillis(300));
		}
	}

	@Test
	void aStepBackIsTold() {
		ask(Duration.ZERO, Duration.ofMillis(1));
		this.time.advance(Duration.ofSeconds(1));
		this.offsetMicros -= 3600 * SECOND;
		assertThat(ask(Duration.ofMillis(1), Duration.ZERO)).isBetween(-3600 * SECOND, -3599 * SECOND);
	}

	@Test
	void smallStepsAddUp() {
		ask(Duration.ZERO, Duration.ZERO);
		long told = 0;
		int steps = 0;
		while (told == 0 && steps++ < 28) {
			this.time.advance(Duration.ofMillis(500));
			this.offsetMicros += 20_000;
			told = ask(Duration.ofMillis(1), Duration.ofMillis(1));
		}
		assertThat(told).isPositive();
		assertThat(steps).isEqualTo(3);
	}

	@Test
	void aStepForwardBehindASmallOneBackCountsFromTheLowest() {
		ask(Duration.ZERO, Duration.ZERO);
		this.offsetMicros -= 40_000;
		assertThat(ask(Duration.ZERO, Duration.ZERO)).isZero();
		this.offsetMicros += 60_000;
		assertThat(ask(Duration.ZERO, Duration.ZERO)).isEqualTo(60_000);
	}

	@Test
	void afterALongSilenceNoMoreGoesUnnoticedThanBefore() {
		ask(Duration.ZERO, Duration.ZERO);
		this.time.advance(Duration.ofHours(1));
		this.offsetMicros += 100_000;
		assertThat(ask(Duration.ZERO, Duration.ZERO)).isEqualTo(100_000);
	}

	@Test
	void noMoreGoesUnnoticedThanIsTakenOffTheValidity() {
		for (int seed = 0; seed < 200; seed++) {
			SplittableRandom random = new SplittableRandom(seed);
			ClockWatch fresh = new ClockWatch(NodeFixture.settings(true, MAX_TTL), this.time,
					ScriptedServer.facts("a"));
			List<long[]> gained = new ArrayList<>();
			long gain = 0;
			for (int i = 0; i < 300; i++) {
				this.time.advance(Duration.ofMillis(random.nextLong(1, NodeSettings.CHECK_INTERVAL.toMillis())));
				gain += random.nextLong(-20_000, 21_000);
				long now = this.time.nanoTime() / 1000;
				Range range = fresh.range(this.time.nanoTime(), now + gain);
				if (fresh.observe(range) > 0) {
					fresh.goOn(0, range);
					gained.clear();
				}
				gained.add(new long[] { now, gain });
				gained.removeIf((earlier) -> now - earlier[0] > MAX_TTL.toNanos() / 1000);
				long lowest = gained.stream().mapToLong((earlier) -> earlier[1]).min().orElseThrow();
				assertThat(gain - lowest).as("seed %d", seed)
					.isLessThanOrEqualTo(ClockWatch.unnoticed(MAX_TTL).toNanos() / 1000);
			}
		}
	}

	@Test
	void slowAnswersAreNoSteps() {
		ask(Duration.ZERO, Duration.ZERO);
		assertThat(ask(Duration.ofSeconds(5), Duration.ZERO)).isZero();
		assertThat(ask(Duration.ZERO, Duration.ofSeconds(5))).isZero();
		assertThat(ask(Duration.ofSeconds(30), Duration.ofSeconds(30))).isZero();
		assertThat(ask(Duration.ZERO, Duration.ZERO)).isZero();
	}

	@Test
	void aSlewedClockHasNotStepped() {
		for (int i = 0; i < 10_000; i++) {
			this.offsetMicros += 250;
			this.time.advance(Duration.ofMillis(500));
			assertThat(ask(Duration.ZERO, Duration.ZERO)).isZero();
		}
	}

	private long ask(Duration there, Duration back) {
		long sent = this.time.nanoTime();
		this.time.advance(there);
		long serverMicros = this.time.nanoTime() / 1000 + this.offsetMicros;
		this.time.advance(back);
		Range range = this.watch.range(sent, serverMicros);
		long step = this.watch.observe(range);
		return (step > 0) ? this.watch.goOn(0, range) : step;
	}

}

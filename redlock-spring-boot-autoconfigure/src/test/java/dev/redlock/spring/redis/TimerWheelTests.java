package dev.redlock.spring.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;

import dev.redlock.spring.redis.TimerWheel.Timer;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The wheel against a plain list of timers, by a clock that only the test moves.
 */
class TimerWheelTests {

	private static final long MILLI = 1_000_000;

	private static final int STEPS = 3_000;

	private final TimerWheel wheel = new TimerWheel();

	private long now;

	@RepeatedTest(20)
	void everyTimerEndsInTimeAndNoCancelledOneEver() {
		long seed = Long.getLong("redlock.seed", ThreadLocalRandom.current().nextLong());
		SplittableRandom random = new SplittableRandom(seed);
		List<Expected> model = new ArrayList<>();
		for (int step = 0; step < STEPS; step++) {
			String when = "seed " + seed + ", step " + step;
			switch (random.nextInt(4)) {
				case 0, 1 -> model.add(set(someDelay(random)));
				case 2 -> {
					if (!model.isEmpty()) {
						model.remove(random.nextInt(model.size())).timer.cancel();
					}
				}
				default -> {
					this.now += someStep(random);
					check(model, when);
				}
			}
			assertThat(this.wheel.size()).as(when).isEqualTo(model.size());
		}
	}

	@Test
	void aTimerThatIsCancelledLeavesNothingBehindHoweverFarAwayItIs() {
		for (int i = 0; i < 100_000; i++) {
			this.wheel.set(this.now, Duration.ofSeconds(30).toNanos(), () -> {
			}).cancel();
		}
		assertThat(this.wheel.size()).isZero();
		assertThat(this.wheel.next()).isEqualTo(TimerWheel.NEVER);
	}

	@Test
	void aTimerThatIsCancelledWhenItWasTakenOutHasNothingToDo() {
		Timer timer = set(MILLI).timer;
		this.now += MILLI;
		assertThat(this.wheel.takeDue(this.now)).containsExactly(timer);
		timer.cancel();
		assertThat(timer.task()).isNull();
	}

	@Test
	void aTimerSetForAMomentThatTheWheelHasPassedIsDueAtOnce() {
		long before = this.now;
		this.now += 10_000 * MILLI;
		this.wheel.takeDue(this.now);
		Timer timer = this.wheel.set(before, 0, () -> {
		});
		assertThat(this.wheel.next()).isLessThanOrEqualTo(this.now);
		assertThat(this.wheel.takeDue(this.now)).containsExactly(timer);
	}

	@Test
	void timersOfOneMomentEndInTheOrderInWhichTheyWereSet() {
		List<Timer> timers = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			timers.add(set(7 * MILLI).timer);
		}
		this.now += 7 * MILLI;
		assertThat(this.wheel.takeDue(this.now)).containsExactlyElementsOf(timers);
	}

	@Test
	void aDelayOfAgesIsNoDelayOfNothing() {
		set(Long.MAX_VALUE);
		set(Duration.ofDays(36_500).toNanos());
		this.now += Duration.ofDays(365).toNanos();
		assertThat(this.wheel.takeDue(this.now)).isEmpty();
		assertThat(this.wheel.size()).isEqualTo(2);
	}

	private void check(List<Expected> model, String when) {
		Set<Timer> ended = new HashSet<>(this.wheel.takeDue(this.now));
		for (Expected expected : List.copyOf(model)) {
			if (ended.remove(expected.timer)) {
				assertThat(this.now).as(when).isGreaterThanOrEqualTo(expected.earliest());
				model.remove(expected);
			}
			else {
				assertThat(this.now).as(when).isLessThan(expected.due);
			}
		}
		assertThat(ended).as(when).isEmpty();
		long next = this.wheel.next();
		assertThat(next).as(when).isGreaterThan(this.now);
		long due = model.stream().mapToLong(Expected::due).min().orElse(TimerWheel.NEVER);
		long earliest = model.stream().mapToLong(Expected::earliest).min().orElse(TimerWheel.NEVER);
		// Neither too late for anybody nor in vain.
		assertThat(next).as(when).isBetween(earliest, due);
	}

	private Expected set(long delay) {
		Timer timer = this.wheel.set(this.now, delay, () -> {
		});
		return new Expected(timer, this.now + Math.min(delay, Long.MAX_VALUE / 2), delay < 50 * MILLI);
	}

	private static long someDelay(SplittableRandom random) {
		return switch (random.nextInt(7)) {
			case 0 -> random.nextLong(50 * MILLI);
			case 1 -> 50 * MILLI + random.nextLong(-2, 3);
			case 2 -> random.nextLong(5_000 * MILLI);
			// Close to whole turns.
			case 3 -> 4096 * MILLI * random.nextLong(1, 4) + random.nextLong(-6, 7) * MILLI;
			case 4 -> 30_000 * MILLI;
			case 5 -> random.nextLong(3_600_000 * MILLI);
			default -> 0;
		};
	}

	private static long someStep(SplittableRandom random) {
		return switch (random.nextInt(6)) {
			case 0 -> 0;
			case 1 -> random.nextLong(MILLI);
			case 2 -> random.nextLong(10 * MILLI);
			case 3 -> random.nextLong(1_000 * MILLI);
			case 4 -> 4096 * MILLI + random.nextLong(-MILLI, MILLI);
			default -> random.nextLong(60_000 * MILLI);
		};
	}

	private record Expected(Timer timer, long due, boolean exact) {

		long earliest() {
			return this.exact ? this.due : this.due - TimerWheel.EARLIEST_NANOS;
		}

	}

}

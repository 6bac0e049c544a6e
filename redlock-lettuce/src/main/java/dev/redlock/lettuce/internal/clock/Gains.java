package dev.redlock.lettuce.internal.clock;

import java.util.Comparator;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.concurrent.TimeUnit;

import dev.redlock.lettuce.internal.clock.ClockWatch.Gain;

/**
 * Decides whether this process was paused, from how far the server clocks of each node
 * got ahead. The page on safety shows such decisions in numbers.
 *
 * @param all the gain of each node since its earlier answers. Earlier pauses that were
 * too short to be noticed are part of it.
 * @param recent the gain of each node since its recent answers. Since then, the clocks
 * have drifted apart less.
 */
record Gains(List<Gain> all, List<Gain> recent, int majority) {

	private static final long SAME_MICROS = TimeUnit.NANOSECONDS.toMicros(ClockWatch.LEAST_STEP.toNanos());

	/**
	 * Returns how long this process was paused, or zero for no pause. It was paused if
	 * the clock of each node got ahead, a majority of them equally far. Then the least
	 * gain is the pause, because a longer pause could hide a clock step. If one clock did
	 * not get ahead, each clock that got ahead has stepped. If most clocks came closer to
	 * this client's wall clock, they were probably corrected, so they have stepped.
	 */
	long pauseMicros() {
		long least = least(larger());
		long agreeing = this.all.stream().filter((gain) -> gain.least() - least <= SAME_MICROS).count();
		long corrected = this.recent.stream().filter(Gain::correction).count();
		boolean paused = least > 0 && agreeing >= this.majority && corrected <= this.recent.size() / 2;
		return paused ? least : 0;
	}

	/**
	 * Returns how much earlier leases must end. After a pause, this is the greatest gain.
	 * Otherwise it is what a majority of the clocks stepped forward, because a majority
	 * of a lock's keys expire earlier by that.
	 */
	long missedMicros() {
		List<Gain> greatest = larger().stream().sorted(Comparator.comparingLong(Gain::most).reversed()).toList();
		if (pauseMicros() > 0) {
			return greatest.get(0).most();
		}
		boolean stepped = greatest.size() >= this.majority && greatest.get(this.majority - 1).least() > SAME_MICROS;
		return stepped ? greatest.get(this.majority - 1).most() : 0;
	}

	/**
	 * Whether the answers fit a pause but are too few or too slow to prove a pause.
	 */
	boolean mayBecomeExact() {
		LongSummaryStatistics least = larger().stream().mapToLong(Gain::least).summaryStatistics();
		LongSummaryStatistics most = larger().stream().mapToLong(Gain::most).summaryStatistics();
		boolean exact = least.getCount() >= this.majority && most.getMax() - least.getMin() <= SAME_MICROS;
		return least.getCount() == 0 || (!exact && least.getMax() - most.getMin() <= SAME_MICROS);
	}

	/**
	 * No clock got ahead by less than either list says, so the larger gains are closer to
	 * the truth.
	 */
	private List<Gain> larger() {
		return (least(this.all) > least(this.recent)) ? this.all : this.recent;
	}

	private static long least(List<Gain> gains) {
		return gains.stream().mapToLong(Gain::least).min().orElse(0);
	}

}

package dev.redlock.lettuce.internal.clock;

import java.util.Comparator;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.concurrent.TimeUnit;

import dev.redlock.lettuce.internal.clock.ClockWatch.Gain;

/**
 * Decides whether this process was paused, from how far the server clocks of the nodes
 * that answered got ahead. Gains of 200, 200, 200, 200 and 200 ms are a pause of 200 ms,
 * and gains of 200, 0, 0, 0 and 0 ms are a step of one clock. The page on safety follows
 * both from the first answer.
 *
 * @param all the gains since the earlier answers of these nodes. Earlier pauses that were
 * too short to be noticed are part of them.
 * @param recent the gains since the recent answers of these nodes. Since then, the clocks
 * have drifted apart less.
 */
record Gains(List<Gain> all, List<Gain> recent, int majority) {

	private static final long SAME_MICROS = TimeUnit.NANOSECONDS.toMicros(ClockWatch.LEAST_STEP.toNanos());

	/**
	 * Returns how long this process was paused, or zero for no pause. It was paused if
	 * each clock got ahead, and those of a majority equally far. Then the least gain is
	 * the pause, because a longer pause could hide a clock step. If one clock did not get
	 * ahead, each clock that got ahead has stepped. If most clocks came closer to this
	 * client's wall clock, they were probably corrected, so they have stepped.
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
	 * Whether the nodes must be asked again before the decision. Two ranges from 190 to
	 * 215 ms show equal gains, and ranges from 0 to 5 ms and from 190 to 215 ms show
	 * different gains. After slow answers, ranges from 0 to 210 ms and from 190 to 215 ms
	 * show neither. If a majority has not answered, equal gains are not enough.
	 */
	boolean areTooVague() {
		LongSummaryStatistics least = larger().stream().mapToLong(Gain::least).summaryStatistics();
		LongSummaryStatistics most = larger().stream().mapToLong(Gain::most).summaryStatistics();
		boolean differ = least.getMax() - most.getMin() > SAME_MICROS;
		boolean equal = most.getMax() - least.getMin() <= SAME_MICROS && least.getCount() >= this.majority;
		return least.getCount() == 0 || (!differ && !equal);
	}

	/**
	 * No clock got ahead by less than either list says, so the list with the larger least
	 * gain is closer to the truth.
	 */
	private List<Gain> larger() {
		return (least(this.all) > least(this.recent)) ? this.all : this.recent;
	}

	private static long least(List<Gain> gains) {
		return gains.stream().mapToLong(Gain::least).min().orElse(0);
	}

}

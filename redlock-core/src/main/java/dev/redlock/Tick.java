package dev.redlock;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * One due time of a job that runs in many processes. All processes compute the same tick
 * from the schedule of the job. The tick identifies a run of the job, even if the clocks
 * of processes differ.
 * <p>
 * A node accepts each tick of a job once, and only if the tick is later than the last
 * tick that the node accepted.
 * <p>
 * A job without a schedule has ticks that are {@linkplain #atLeast at least some time
 * apart} by the clock of each node.
 *
 * @param dueMicros the time at which the job is due, in microseconds since the epoch; 0
 * for a job without a schedule
 * @param interval the time from this tick to the next tick of the job
 * @param clockDifference by how much the clocks of two processes may differ, at most half
 * the interval
 * @param rerun whether the nodes mark the tick after the job has run, so that another
 * process can run the job if this process dies
 */
public record Tick(long dueMicros, Duration interval, Duration clockDifference, boolean rerun) {

	public Tick {
		if (dueMicros < 0) {
			throw new IllegalArgumentException(
					"A tick of a job must be due after 1970, but the microseconds from 1970 to the due time are "
							+ dueMicros);
		}
		if (interval.compareTo(Duration.ofMillis(1)) < 0) {
			throw new IllegalArgumentException(
					"The time between two ticks must be at least a millisecond, not " + interval);
		}
		if (clockDifference.isNegative() || clockDifference.multipliedBy(2).compareTo(interval) > 0) {
			throw new IllegalArgumentException("The allowed clock difference must be at most half the time between "
					+ "two ticks, which is " + interval + ", not " + clockDifference);
		}
	}

	/**
	 * Returns the tick of a job with a schedule, for clocks that differ by at most a
	 * second, and by at most half the interval.
	 * @param dueMillis the time at which the job is due by its schedule, in milliseconds
	 * since the epoch
	 */
	public static Tick at(long dueMillis, Duration interval) {
		Duration half = interval.dividedBy(2);
		Duration second = Duration.ofSeconds(1);
		return new Tick(TimeUnit.MILLISECONDS.toMicros(dueMillis), interval,
				(half.compareTo(second) < 0) ? half : second, false);
	}

	/**
	 * Returns the tick of a job without a schedule that starts at most once in the given
	 * time.
	 * @param rest the shortest time from the start of one run of the job to the start of
	 * the next run
	 */
	public static Tick atLeast(Duration rest, Duration clockDifference) {
		return new Tick(0, rest, clockDifference, false);
	}

	/**
	 * Returns whether the job may run for this tick now. A process may run the job up to
	 * {@code clockDifference} before the tick is due.
	 * @param nowMicros the wall-clock time of the process in microseconds since the epoch
	 */
	public boolean isDue(long nowMicros) {
		return this.dueMicros - nowMicros <= micros(this.clockDifference);
	}

	/**
	 * Returns the earliest time at which any clock lets a process mark this tick, in
	 * microseconds since the epoch. A process may run the job early by the clock
	 * difference, and its clock may be ahead by as much again.
	 */
	public long earliestMicros() {
		return Math.max(0, this.dueMicros - 2 * micros(this.clockDifference));
	}

	/**
	 * Returns how much longer a node remembers a taken tick than the fence counter of a
	 * lock.
	 */
	public Duration remembered() {
		return this.interval.multipliedBy(2);
	}

	/**
	 * Returns whether a node that lost its data may have accepted this tick, or a tick
	 * less than an interval away.
	 * @param sinceMicros the time from which on the node has all its data, in
	 * microseconds since the epoch
	 * @return true if the node must not vote on this tick
	 */
	public boolean mayBeForgotten(long sinceMicros, long nowMicros) {
		if (this.dueMicros > 0) {
			return earliestMicros() <= sinceMicros;
		}
		return nowMicros - micros(this.interval.plus(this.clockDifference)) <= sinceMicros;
	}

	private static long micros(Duration duration) {
		return TimeUnit.NANOSECONDS.toMicros(duration.toNanos());
	}

}

package dev.redlock;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * One due time of a job that runs in many processes. All processes compute the same tick
 * from the schedule of the job. The tick identifies a run of the job, even if the clocks
 * of processes differ.
 * <p>
 * A node accepts only ticks that are later than the last tick that the node accepted for
 * the job, or that tick again from the same owner.
 * <p>
 * If a job has no schedule, a node accepts a tick only after the interval since the
 * previous tick.
 *
 * @param dueMicros the time at which the job is due, in microseconds since the epoch; 0
 * for a job without a schedule
 * @param interval the time from this tick to the next tick of the job
 * @param clockDifference by how much the clocks of two processes may differ, at most half
 * the interval
 * @param rerun whether another process may run the job for this tick if the first process
 * dies during its run
 */
public record Tick(long dueMicros, Duration interval, Duration clockDifference, boolean rerun) {

	public Tick {
		if (dueMicros < 0) {
			throw new IllegalArgumentException(
					"The due time of a job, in microseconds since 1970, must be zero or more, not " + dueMicros);
		}
		boolean onlyAsks = dueMicros == 0 && interval.isZero();
		if (interval.compareTo(Duration.ofMillis(1)) < 0 && !onlyAsks) {
			throw new IllegalArgumentException(
					"The time between two runs of a job must be at least a millisecond, not " + interval);
		}
		if (clockDifference.isNegative() || clockDifference.multipliedBy(2).compareTo(interval) > 0) {
			throw new IllegalArgumentException("The allowed clock difference must be at most half the time between "
					+ "two runs of the job, which is " + interval + ", not " + clockDifference);
		}
	}

	/**
	 * Returns the tick of a scheduled job. The clocks of processes may differ by at most
	 * one second.
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
	 * Returns the tick of a job that has no schedule. The job starts at most once in each
	 * period of the given length.
	 * @param rest the shortest time from the start of one run of the job to the start of
	 * the next run; zero to ask only whether the time of an earlier tick is over
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
	 * Returns the earliest time at which a process may run the job for this tick, in
	 * microseconds since the epoch. A process may start the job early by
	 * {@code clockDifference}, and its clock may be ahead by the same time.
	 */
	public long earliestMicros() {
		return Math.max(0, this.dueMicros - 2 * micros(this.clockDifference));
	}

	/**
	 * Returns the time by which the record of a job's run outlives a fence counter on a
	 * node, at least a millisecond.
	 */
	public Duration remembered() {
		return this.interval.isZero() ? Duration.ofMillis(1) : this.interval.multipliedBy(2);
	}

	/**
	 * Returns whether a node that lost its data may have forgotten a run of the job for
	 * this tick.
	 * @param sinceMicros the time after which the node lost no data, in microseconds
	 * since the epoch
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

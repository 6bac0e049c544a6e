package dev.redlock.spring.job;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

import dev.redlock.Tick;
import dev.redlock.spring.interceptor.AnnotatedMethod;
import org.jspecify.annotations.Nullable;

/**
 * The schedule of a method with {@link RedLockJob}.
 *
 * @param ticks computes the times at which the job is due; null if the schedule is turned
 * off
 */
record JobSchedule(@Nullable JobTicks ticks, Duration clockDifference, boolean rerun, boolean latest, Clock clock) {

	static Instant due(Tick tick) {
		return Instant.EPOCH.plus(tick.dueMicros(), ChronoUnit.MICROS);
	}

	/**
	 * Returns the next tick, for a schedule that is not turned off. With a fixed rate,
	 * returns the time after one rate, because the scheduler may call the job as late as
	 * that.
	 */
	Instant nextDue() {
		Instant now = this.clock.instant();
		return now.plus(Objects.requireNonNull(this.ticks).after(now));
	}

	Tick currentTick(AnnotatedMethod method) {
		Instant now = this.clock.instant();
		Instant due = (this.ticks != null) ? this.ticks.at(now, this.clockDifference) : null;
		if (this.ticks == null || due == null) {
			throw new IllegalStateException("The method " + method
					+ " is a job and runs only at the times of its @Scheduled, and none of these times has come yet. "
					+ "Let only Spring's scheduler call this method.");
		}
		Duration interval = this.ticks.after(due);
		Duration half = interval.dividedBy(2);
		Duration difference = (this.clockDifference.compareTo(half) < 0) ? this.clockDifference : half;
		return new Tick(ChronoUnit.MICROS.between(Instant.EPOCH, due), interval, difference, this.rerun);
	}

}

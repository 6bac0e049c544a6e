package dev.redlock.spring.job;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Computes the times (ticks) at which a job is due. These times depend only on the
 * schedule, so they are equal in all processes. Which of them a call is for may also
 * depend on earlier calls in this process.
 */
interface JobTicks {

	/**
	 * Returns the last tick until {@code now} plus {@code early}; null if no tick was due
	 * for years.
	 * @param early how long before its tick a call may come
	 */
	@Nullable Instant at(Instant now, Duration early);

	/**
	 * Returns the time from the given tick to the next tick. From a time between ticks, a
	 * fixed rate gives its whole rate.
	 */
	Duration after(Instant tick);

	/**
	 * Returns the shortest time between two ticks; for a cron expression, only the next
	 * 100 ticks are compared.
	 */
	Duration shortest(Instant now);

}

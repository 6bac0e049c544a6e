package dev.redlock.spring.job;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The ticks of a schedule. They depend on nothing but the schedule, so all instances
 * agree on them.
 */
interface JobTicks {

	/**
	 * Returns the tick that a call at a moment is for: the last one that is not after it.
	 * @param now the moment of the call
	 * @param early by how much a call may come before its tick
	 * @return the tick; null if there was none for years
	 */
	@Nullable Instant at(Instant now, Duration early);

	/**
	 * Returns the time from one tick to the next.
	 */
	Duration after(Instant tick);

	/**
	 * Returns the shortest time between two ticks, as far as it can be foreseen.
	 */
	Duration shortest(Instant now);

}

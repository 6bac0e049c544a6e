package dev.redlock.spring.job;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The ticks of a schedule. Ticks depend only on the schedule, so all processes agree on
 * them.
 */
interface JobTicks {

	/**
	 * Returns the tick for a call at a given moment, which is the last tick that is not
	 * after this moment.
	 * @param now the moment of the call
	 * @param early by how much a call may come before its tick
	 * @return the tick; null if no tick was due for years
	 */
	@Nullable Instant at(Instant now, Duration early);

	/**
	 * Returns the time from one tick to the next.
	 */
	Duration after(Instant tick);

	/**
	 * Returns the shortest time between two ticks, as far as it can be computed.
	 */
	Duration shortest(Instant now);

}

package dev.redlock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Computes the ticks of a job with a fixed rate: the multiples of the rate since 1970. A
 * call shortly before a tick counts for this tick only if an earlier call counted for the
 * previous tick.
 */
final class RateTicks implements JobTicks {

	private final long rateMicros;

	private volatile Call last = new Call(Long.MIN_VALUE, 0);

	RateTicks(Duration rate) {
		this.rateMicros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.EPOCH.plus(rate));
	}

	@Override
	public Instant at(Instant now, Duration early) {
		long micros = ChronoUnit.MICROS.between(Instant.EPOCH, now);
		long number = Math.floorDiv(micros, this.rateMicros);
		Call before = this.last;
		boolean isNextCall = before.number == number && micros - before.micros > this.rateMicros / 2;
		Instant next = tick(number + 1);
		if (isNextCall && !next.isAfter(now.plus(early))) {
			number++;
		}
		this.last = new Call(number, micros);
		return tick(number);
	}

	@Override
	public Duration after(Instant tick) {
		return Duration.of(this.rateMicros, ChronoUnit.MICROS);
	}

	@Override
	public Duration shortest(Instant now) {
		return after(now);
	}

	private Instant tick(long number) {
		return Instant.EPOCH.plus(number * this.rateMicros, ChronoUnit.MICROS);
	}

	/**
	 * A call of the job method in this process.
	 *
	 * @param number the number of the tick that the call belongs to, counted since 1970
	 */
	private record Call(long number, long micros) {

	}

}

package dev.redlock.spring.interceptor;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;

import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.support.CronExpression;

/**
 * The ticks of a cron expression in a time zone. When clocks are set back, the fire times
 * of the hour that is repeated come twice, and are two ticks. When clocks are set
 * forward, the fire times of the hour that is left out are no ticks. That is when Spring
 * calls the method, too.
 */
final class CronTicks implements JobTicks {

	/** Cron expressions for a 29th of February skip up to eight years. */
	private static final Duration LONGEST_GAP = Duration.ofDays(9 * 366);

	private static final int FORESEEN = 100;

	private final CronExpression cron;

	private final ZoneId zone;

	CronTicks(CronExpression cron, ZoneId zone) {
		this.cron = cron;
		this.zone = zone;
	}

	@Override
	public @Nullable Instant at(Instant now, Duration early) {
		Instant end = now.plus(early);
		Instant tick = next(end.minus(LONGEST_GAP.multipliedBy(2)), end);
		while (tick != null && Duration.between(tick, end).toMillis() > 1) {
			// There may be very many ticks in this time, so halve it.
			Instant middle = tick.plus(Duration.between(tick, end).dividedBy(2));
			Instant next = next(middle, end);
			if (next != null) {
				tick = next;
			}
			else {
				end = middle;
			}
		}
		return tick;
	}

	@Override
	public Duration after(Instant tick) {
		Instant next = next(tick, tick.plus(LONGEST_GAP));
		return (next != null) ? Duration.between(tick, next) : LONGEST_GAP;
	}

	@Override
	public Duration shortest(Instant now) {
		Duration shortest = LONGEST_GAP;
		Instant tick = next(now, now.plus(LONGEST_GAP));
		for (int i = 0; i < FORESEEN && tick != null; i++) {
			Duration gap = after(tick);
			shortest = (gap.compareTo(shortest) < 0) ? gap : shortest;
			tick = next(tick, tick.plus(LONGEST_GAP));
		}
		return shortest;
	}

	/**
	 * Returns the first tick after a moment and not after a limit.
	 */
	private @Nullable Instant next(Instant after, Instant limit) {
		ZonedDateTime next = this.cron.next(after.atZone(this.zone));
		return (next != null && !next.toInstant().isAfter(limit)) ? next.toInstant() : null;
	}

}

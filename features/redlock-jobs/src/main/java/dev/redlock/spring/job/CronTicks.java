package dev.redlock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;

import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.support.CronExpression;

/**
 * The ticks of a cron expression in a time zone: the moments at which the local time
 * matches the expression. When clocks are set back, each matching time in the repeated
 * hour gives two ticks. When clocks are set forward, a matching time in the skipped hour
 * gives no tick.
 * <p>
 * {@code CronExpression} is called only with local times, because with a time zone
 * {@code CronExpression} may return a past time.
 */
final class CronTicks implements JobTicks {

	/**
	 * The longest time between two ticks. The 29th of February falls on the same weekday
	 * every 28 years, or every 40 years around a year such as 2100.
	 */
	private static final Duration LONGEST_GAP = Duration.ofDays(41 * 366);

	private static final Duration LARGEST_CHANGE = Duration.ofDays(2);

	private static final int FORESEEN = 100;

	private final CronExpression cron;

	private final ZoneRules zone;

	CronTicks(CronExpression cron, ZoneId zone) {
		this.cron = cron;
		this.zone = zone.getRules();
	}

	@Override
	public @Nullable Instant at(Instant now, Duration early) {
		Instant end = now.plus(early);
		Instant tick = next(end.minus(LONGEST_GAP), end);
		while (tick != null && Duration.between(tick, end).toMillis() > 1) {
			// The search for the last tick halves the time span, because a search through
			// every tick of 41 years would take too long.
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
	 * Returns the first tick later than {@code after}; null if no tick is due until
	 * {@code limit}.
	 */
	private @Nullable Instant next(Instant after, Instant limit) {
		Instant since = after;
		LocalDateTime wall = wall(after);
		LocalDateTime match = this.cron.next(wall);
		while (match != null && !since.isAfter(limit)) {
			ZoneOffsetTransition change = this.zone.nextTransition(since);
			Instant tick = match.toInstant(this.zone.getOffset(since));
			if (change == null || tick.isBefore(change.getInstant())) {
				return tick.isAfter(limit) ? null : tick;
			}
			Instant near = tick.minus(LARGEST_CHANGE);
			if (near.isAfter(change.getInstant()) && change.getDateTimeAfter().isAfter(wall)) {
				// The next match is much later than the clock change, so the search
				// continues shortly before the match.
				since = near;
				wall = wall(near);
			}
			else {
				since = change.getInstant();
				wall = change.getDateTimeAfter().minusNanos(1);
				LocalDateTime again = this.cron.next(wall);
				// From Sunday the 2nd, CronExpression does not find Monday the 3rd for
				// "1W", so the match found before is kept.
				boolean lost = match.isAfter(wall) && (again == null || match.isBefore(again));
				match = lost ? match : again;
			}
		}
		return null;
	}

	private LocalDateTime wall(Instant instant) {
		return LocalDateTime.ofInstant(instant, this.zone.getOffset(instant));
	}

}

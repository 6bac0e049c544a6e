package dev.redlock;

import java.time.Duration;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.spi.Scheduler.Timeout;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;

/**
 * The pause of a request after the nodes refused it, and the timer for its end.
 */
final class RetryPause {

	/**
	 * The longest pause while waiting for an announced release, in case the announcement
	 * is lost.
	 */
	private static final Duration LONGEST = Duration.ofSeconds(20);

	/**
	 * After this many split votes in a row, one owner is assumed to hold a bare majority.
	 */
	private static final int MOST_SPLITS = 5;

	private final LockContext context;

	private final LockPlan plan;

	/** The number of split votes in a row. */
	private int splits;

	private Timeout timer = Timeout.NONE;

	RetryPause(LockContext context, LockPlan plan) {
		this.context = context;
		this.plan = plan;
	}

	Duration after(TryResult result, QueuePlace place) {
		Tally votes = result.votes();
		if (result.reason() == Reason.NO_QUORUM || result.reason() == Reason.VALIDITY_EXHAUSTED) {
			return randomly(this.plan.retryDelay());
		}
		place.subscribe();
		long grace = this.context.roundTimes().graceNanos();
		if (votes.count(Vote.Granted.class::isInstance) > 0 && this.splits < MOST_SPLITS) {
			long doubled = grace << this.splits++;
			return randomly(shorter(this.plan.retryDelay(), Duration.ofNanos(doubled)));
		}
		Duration holding = remaining(votes);
		if (holding == null || !place.isSubscribed()) {
			return randomly(this.plan.retryDelay());
		}
		// Tries again when the claim ends, because its holder may have crashed.
		return shorter(holding.plusMillis(1).plus(randomly(Duration.ofNanos(grace))), randomly(LONGEST));
	}

	/**
	 * Starts a pause, which replaces any earlier one.
	 */
	void start(Duration pause, Runnable atEnd) {
		cancel();
		this.timer = this.context.loop().schedule(pause, atEnd);
	}

	void cancel() {
		this.timer.cancel();
	}

	/**
	 * Resets the count of split votes, because another owner may hold the lock now.
	 */
	void startAnew() {
		this.splits = 0;
	}

	/**
	 * Returns the time until the first of the blocking claims ends, or null if one of
	 * their owners does not announce its releases.
	 */
	private static @Nullable Duration remaining(Tally votes) {
		Duration shortest = null;
		for (Vote vote : votes.votes()) {
			if (vote instanceof Vote.Refused refused) {
				Duration left = refused.remaining();
				if (left == null || refused.holder() == null) {
					return null;
				}
				shortest = (shortest == null) ? left : shorter(left, shortest);
			}
		}
		return shortest;
	}

	/**
	 * Returns a random time in the upper half of the given one.
	 */
	private Duration randomly(Duration longest) {
		long nanos = longest.toNanos();
		return Duration.ofNanos(nanos - this.context.random().nextLong(nanos / 2 + 1));
	}

	private static Duration shorter(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

}

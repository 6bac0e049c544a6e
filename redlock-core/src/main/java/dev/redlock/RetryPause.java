package dev.redlock;

import java.time.Duration;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.spi.Scheduler.Timeout;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;

/**
 * For how long a request pauses after the nodes refused it, and the timer for that.
 */
final class RetryPause {

	/**
	 * How often a lock whose release will be announced is asked for all the same, in case
	 * that nothing was heard of it.
	 */
	private static final Duration LONGEST = Duration.ofSeconds(20);

	/**
	 * After so many splits in a row it is none: one owner has a bare majority.
	 */
	private static final int MOST_SPLITS = 5;

	private final LockContext context;

	private final LockPlan plan;

	/** How often in a row several asked at once and none had a majority. */
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
		// The end of the claim: its holder may have crashed.
		return shorter(holding.plusMillis(1).plus(randomly(Duration.ofNanos(grace))), randomly(LONGEST));
	}

	/**
	 * Pauses for a time, in the place of any pause before.
	 */
	void start(Duration pause, Runnable atEnd) {
		cancel();
		this.timer = this.context.loop().schedule(pause, atEnd);
	}

	void cancel() {
		this.timer.cancel();
	}

	/**
	 * There is news, so another owner may hold the lock now.
	 */
	void startAnew() {
		this.splits = 0;
	}

	/**
	 * When the first of the claims that stand in the way ends, if all of them are of
	 * owners who announce their releases.
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
	 * At a random moment in the later half.
	 */
	private Duration randomly(Duration longest) {
		long nanos = longest.toNanos();
		return Duration.ofNanos(nanos - this.context.random().nextLong(nanos / 2 + 1));
	}

	private static Duration shorter(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

}

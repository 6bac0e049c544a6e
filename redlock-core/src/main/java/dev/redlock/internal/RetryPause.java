package dev.redlock.internal;

import java.time.Duration;
import java.util.Objects;

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
	 * How often a request that waits for an announcement checks that it is still
	 * subscribed.
	 */
	private static final Duration CHECK = Duration.ofMillis(200);

	/**
	 * Limits the doubling of the backoff, which the retry delay limits earlier.
	 */
	private static final int MOST_DOUBLINGS = 20;

	private final LockContext context;

	private final LockPlan plan;

	private final QueuePlace place;

	/** The number of tries in a row after which no owner was known to have a majority. */
	private int splits;

	/** The end of the current pause. */
	private long endNanos;

	/**
	 * The end of a pause that an announcement must not shorten. In the past if there is
	 * none.
	 */
	private long backoffEndNanos;

	private Timeout timer = Timeout.NONE;

	RetryPause(LockContext context, LockPlan plan, QueuePlace place) {
		this.context = context;
		this.plan = plan;
		this.place = place;
		this.backoffEndNanos = context.ticker().nanoTime();
	}

	/**
	 * Returns how long to pause, by the votes received so far. Only an owner with a
	 * majority is waited for, because the owner of a failed try does not announce that it
	 * gives up. In each other case this is a backoff.
	 * @param result the failed try
	 */
	Duration after(TryResult result) {
		Duration pause = switch (Objects.requireNonNull(result.latestReason())) {
			case HELD -> untilReleased(result.latestVotes());
			case SPLIT_VOTE, FENCE_NOT_SETTLED -> afterSplitVote();
			default -> randomly(this.plan.retryDelay());
		};
		boolean backsOff = result.latestReason() != Reason.HELD;
		this.backoffEndNanos = this.context.ticker().nanoTime() + (backsOff ? pause.toNanos() : 0);
		return pause;
	}

	/**
	 * Returns the rest of the current backoff.
	 */
	Duration backoff() {
		return Duration.ofNanos(Math.max(0, this.backoffEndNanos - this.context.ticker().nanoTime()));
	}

	/**
	 * Starts a pause, which replaces any earlier one. It ends early if the request is
	 * subscribed to releases and no longer receives them.
	 */
	void start(Duration pause, Runnable atEnd) {
		cancel();
		this.endNanos = this.context.ticker().nanoTime() + pause.toNanos();
		schedule(this.place.isSubscribed(), atEnd);
	}

	void cancel() {
		this.timer.cancel();
	}

	private void schedule(boolean subscribed, Runnable atEnd) {
		Duration left = Duration.ofNanos(this.endNanos - this.context.ticker().nanoTime());
		this.timer = this.context.loop().schedule(subscribed ? shorter(left, CHECK) : left, () -> {
			boolean over = this.endNanos - this.context.ticker().nanoTime() <= 0;
			if (over || this.place.isSubscribed() != subscribed) {
				atEnd.run();
			}
			else {
				schedule(subscribed, atEnd);
			}
		});
	}

	private Duration untilReleased(Tally votes) {
		this.place.subscribe();
		Duration holding = remaining(votes);
		if (holding != null && this.place.isSubscribed()) {
			this.splits = 0;
			// Tries again when the claim ends, because its holder may have crashed.
			long grace = this.context.roundTimes().graceNanos();
			return shorter(holding.plusMillis(1).plus(randomly(Duration.ofNanos(grace))), randomly(LONGEST));
		}
		if (votes.count(Vote.Granted.class::isInstance) > 0) {
			// The holder may be releasing the lock at this moment.
			return afterSplitVote();
		}
		return randomly(this.plan.retryDelay());
	}

	private Duration afterSplitVote() {
		this.place.subscribe();
		long doubled = this.context.roundTimes().graceNanos() << Math.min(this.splits++, MOST_DOUBLINGS);
		return randomly(shorter(this.plan.retryDelay(), Duration.ofNanos(doubled)));
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
				if (left == null || !refused.announces()) {
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

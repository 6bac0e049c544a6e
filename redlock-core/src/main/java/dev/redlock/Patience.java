package dev.redlock;

import java.time.Duration;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;

/**
 * For how long a request rests after the nodes refused it.
 */
final class Patience {

	/**
	 * How often a lock whose release will be announced is asked for all the same, in case
	 * that nothing was heard of it.
	 */
	private static final Duration BACKSTOP = Duration.ofSeconds(20);

	/**
	 * After so many splits in a row it is none: one owner has a bare majority.
	 */
	private static final int MOST_SPLITS = 5;

	private final Engine engine;

	private final LockPlan plan;

	/** How often in a row several asked at once and none had a majority. */
	private volatile int splits;

	Patience(Engine engine, LockPlan plan) {
		this.engine = engine;
		this.plan = plan;
	}

	Duration rest(Verdict verdict, Turn turn) {
		Tally votes = verdict.votes();
		if (verdict.reason() == Reason.NO_QUORUM || verdict.reason() == Reason.VALIDITY_EXHAUSTED) {
			return randomly(this.plan.retryDelay());
		}
		turn.listen();
		int before = this.splits;
		if (votes.count(Vote.Granted.class::isInstance) > 0 && before < MOST_SPLITS) {
			this.splits = before + 1;
			long doubled = this.engine.pace().graceNanos() << before;
			return randomly(atMost(this.plan.retryDelay(), Duration.ofNanos(doubled)));
		}
		Duration holding = remaining(votes);
		if (holding == null || !turn.hears()) {
			return randomly(this.plan.retryDelay());
		}
		// The end of the claim: its holder may have crashed.
		Duration grace = Duration.ofNanos(this.engine.pace().graceNanos());
		return atMost(holding.plusMillis(1).plus(randomly(grace)), randomly(BACKSTOP));
	}

	/**
	 * There is news: who holds the lock is another question now.
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
				shortest = (shortest == null) ? left : atMost(left, shortest);
			}
		}
		return shortest;
	}

	/**
	 * At a random moment in the later half.
	 */
	private Duration randomly(Duration longest) {
		long nanos = longest.toNanos();
		return Duration.ofNanos(nanos - this.engine.random().nextLong(nanos / 2 + 1));
	}

	private static Duration atMost(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

}

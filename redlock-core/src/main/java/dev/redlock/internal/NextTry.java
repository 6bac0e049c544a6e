package dev.redlock.internal;

import java.time.Duration;
import java.util.Objects;
import java.util.random.RandomGenerator;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.spi.Ticker;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;

/**
 * The time at which the first request of a queue asks the nodes next. Two moments decide
 * this time: the request never asks before {@code earliest}, and asks at {@code latest}
 * in any case. An event that makes a try worthwhile moves {@code latest} to
 * {@code earliest}. A release of another process first moves {@code earliest} to the end
 * of the turn of other processes, so such a release may postpone both moments. <pre>
 *  event                          state             earliest       latest
 *  -----------------------------  ----------------  -------------  ----------------------
 *  refused, or a later vote       RELEASE           turn           the first claim in the
 * changes the state                                               way ends, and a moment;
 *                                                                  at most 10 to 20 s
 *                                 UNHEARD_OWNER     turn           random retry delay
 *                                 RIVALS            random backoff, doubled each time, or
 *                                                   the turn
 *                                 NODES             random retry delay, or the turn
 *  news: others release, or this  any               a new turn,    earliest
 *  queue has sent its release                       or the backoff
 *  other news                     any               as before      earliest
 *  lease won, or asks right       any               now            now
 *  behind a release
 *  another request is first       not RELEASE       both at most the delay of that
 *                                                   request, or the end of the turn
 *  the queue is empty             any               turn           earliest
 * </pre> The states are the reasons of the last refusal ({@link Wait}). A turn is the
 * time for which a release leaves the lock to other processes ({@link Fairness}). Where
 * the table joins two moments by "or", the later moment counts. "Other news" means that
 * this process received its own release, that a majority has announced a release that was
 * reported early, or that the subscription became complete or was lost. News that arrives
 * while the nodes are being asked counts as soon as the nodes have refused, because the
 * votes may be older than the news. A random delay lies in the upper half of its range,
 * and the backoff starts at a grace time and ends at the retry delay.
 * <p>
 * Two tries wait for none of these moments: the last try of a request, which may be its
 * only try ({@link Deadline#shorten}), and the repeated try of a request whose first try
 * failed because the clocks of the nodes were unknown.
 */
final class NextTry {

	/**
	 * The longest wait for an announced release, in case the announcement is lost.
	 */
	private static final Duration LONGEST = Duration.ofSeconds(20);

	/**
	 * The limit for the doublings of the backoff, which the retry delay usually limits
	 * earlier.
	 */
	private static final int MOST_DOUBLINGS = 20;

	private final Ticker ticker;

	private final RandomGenerator random;

	private final RoundTimes roundTimes;

	/** The reason to wait after the last refused try, null if no try was refused. */
	private @Nullable Wait wait;

	/** The end of the time for which the lock is left to other processes. */
	private long turnEndNanos;

	/**
	 * The moment before which no announcement makes the request ask. Without this limit,
	 * all rivals would ask at once, and announcements do not help nodes that cannot vote.
	 */
	private long backoffEndNanos;

	private long latestNanos;

	/**
	 * How often tries failed because of competing owners, since the last lease or the
	 * last wait for an announced release.
	 */
	private int splits;

	/** Whether an event since the begin of the last try makes another try worthwhile. */
	private boolean news;

	NextTry(Ticker ticker, RandomGenerator random, RoundTimes roundTimes) {
		this.ticker = ticker;
		this.random = random;
		this.roundTimes = roundTimes;
		clear();
	}

	/**
	 * Returns how long to wait before the next try if no event makes an earlier try
	 * worthwhile; zero to ask now.
	 */
	Duration pause() {
		return Duration.ofNanos(Math.max(0, this.latestNanos - now()));
	}

	/**
	 * Returns the reason to wait after the last refused try, null if no try was refused.
	 */
	@Nullable Wait waitsFor() {
		return this.wait;
	}

	/** Handles the beginning of a try. */
	void asked() {
		this.news = false;
	}

	/**
	 * Handles a refusal, or a later vote that changes the reason to wait.
	 * @param retryDelay the longest delay of the request between two tries
	 */
	void refused(Wait why, Tally votes, Duration retryDelay) {
		this.wait = why;
		this.backoffEndNanos = now();
		switch (why) {
			case RELEASE -> {
				this.splits = 0;
				Duration claim = Objects.requireNonNull(votes.shortestRemaining());
				Duration afterIt = claim.plusMillis(1).plus(randomly(grace()));
				this.latestNanos = now() + shorter(afterIt, randomly(LONGEST)).toNanos();
			}
			case UNHEARD_OWNER -> this.latestNanos = now() + randomly(retryDelay).toNanos();
			case RIVALS ->
				backOff(shorter(retryDelay, grace().multipliedBy(1L << Math.min(this.splits++, MOST_DOUBLINGS))));
			case NODES -> backOff(retryDelay);
		}
		if (this.news || this.latestNanos - earliestNanos() < 0) {
			this.latestNanos = earliestNanos();
		}
	}

	/**
	 * Records that another request is now the first.
	 * @param retryDelay the longest delay of the new first request between two tries
	 */
	void firstChanged(Duration retryDelay) {
		if (this.wait != Wait.RELEASE && pause().compareTo(retryDelay) > 0) {
			this.backoffEndNanos = Math.min(this.backoffEndNanos - now(), retryDelay.toNanos()) + now();
			this.latestNanos = now() + Math.max(retryDelay.toNanos(), earliestNanos() - now());
		}
	}

	/** Handles an event that makes another try worthwhile. */
	void newsCame() {
		this.news = true;
		this.latestNanos = earliestNanos();
	}

	/**
	 * Handles an announced release.
	 * @param nanos for how many nanoseconds this process leaves the lock to other
	 * processes
	 */
	void released(long nanos) {
		this.turnEndNanos = now() + nanos;
		newsCame();
	}

	/** Handles a lease that was won, or a handover to the next request. */
	void clear() {
		this.turnEndNanos = now();
		forgetRefusals();
	}

	/** Forgets the last refusal, because the queue is empty. */
	void forgetRefusals() {
		this.wait = null;
		this.splits = 0;
		this.backoffEndNanos = now();
		this.latestNanos = earliestNanos();
	}

	private void backOff(Duration longest) {
		this.backoffEndNanos = now() + randomly(longest).toNanos();
		this.latestNanos = this.backoffEndNanos;
	}

	private long earliestNanos() {
		return (this.turnEndNanos - this.backoffEndNanos > 0) ? this.turnEndNanos : this.backoffEndNanos;
	}

	private Duration grace() {
		return Duration.ofNanos(this.roundTimes.graceNanos());
	}

	private long now() {
		return this.ticker.nanoTime();
	}

	/**
	 * Returns a random time in the upper half of the given one.
	 */
	private Duration randomly(Duration longest) {
		long nanos = longest.toNanos();
		return Duration.ofNanos(nanos - this.random.nextLong(nanos / 2 + 1));
	}

	private static Duration shorter(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

	/**
	 * The reasons to wait after a refusal.
	 */
	enum Wait {

		/** The request waits for the announced release of an owner with a majority. */
		RELEASE,

		/**
		 * The request waits for the release of an owner with a majority, and this process
		 * may not be notified of that release. This process is not subscribed yet, or the
		 * owner does not announce its releases.
		 */
		UNHEARD_OWNER,

		/**
		 * The request waits until a contest between several owners ends. No owner has a
		 * majority or a settled fence, or an owner without announcements seems to be
		 * releasing.
		 */
		RIVALS,

		/** The request waits until enough nodes can vote in time. */
		NODES;

		/**
		 * Returns the reason to wait after a refusal, by all votes received so far. Only
		 * an owner with a majority announces its release, so a request waits for an
		 * announcement only from such an owner.
		 * @param subscribed whether this process receives announced releases
		 */
		static Wait after(TryResult result, boolean subscribed) {
			Reason reason = result.latestReason();
			Tally votes = result.latestVotes();
			if (reason == Reason.HELD && !votes.won() && subscribed && votes.shortestRemaining() != null) {
				return RELEASE;
			}
			// The key was free on one node, so the owner of the other nodes may be
			// releasing.
			boolean granted = votes.count(Vote.Granted.class::isInstance) > 0;
			if (reason == Reason.HELD) {
				return granted ? RIVALS : UNHEARD_OWNER;
			}
			return (reason == Reason.SPLIT_VOTE || reason == Reason.FENCE_NOT_SETTLED) ? RIVALS : NODES;
		}

	}

}

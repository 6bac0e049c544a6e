package dev.redlock.internal;

import java.time.Duration;
import java.util.Objects;
import java.util.random.RandomGenerator;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.spi.Ticker;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;

/**
 * The time at which the first request of a queue asks the nodes next. The request never
 * asks before the time {@code earliest}, and asks at the time {@code latest} in any case.
 * An event that makes another try worthwhile moves {@code latest} to {@code earliest}. A
 * release by another process also moves {@code earliest}, to the end of the time that is
 * left to other processes. <pre>
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
 * </pre> A state is the reason to wait after the last refusal of the nodes
 * ({@link Wait}). A turn is the time for which a queue leaves the lock to other processes
 * after a release ({@link Fairness}). Where the table joins two times by "or", the later
 * time counts. "News" are events that make another try worthwhile. "Other news" are three
 * events: this process received its own announced release, a majority has announced a
 * release that was reported early, or the subscription to releases became complete or was
 * lost. If news arrives during a try that the nodes refuse, the request tries again. The
 * reason is that the votes of the nodes may be older than the news. A random delay lies
 * between half of the retry delay and the whole retry delay. The backoff grows from a
 * grace time up to the retry delay.
 * <p>
 * The last or only try of a request ignores {@code earliest} and {@code latest}
 * ({@link Deadline#shorten}). So does the second try of a request whose first try failed
 * because the clocks of the nodes were unknown.
 */
final class NextTry {

	/**
	 * The longest wait for an announced release, in case the announcement is lost.
	 */
	private static final Duration LONGEST = Duration.ofSeconds(20);

	/**
	 * How often the backoff is doubled at most. The retry delay usually limits the
	 * backoff earlier.
	 */
	private static final int MOST_DOUBLINGS = 20;

	private final Ticker ticker;

	private final RandomGenerator random;

	private final RoundTimes roundTimes;

	/** The reason to wait after the last refused try, null if no try was refused. */
	private @Nullable Wait wait;

	/** The end of the time for which this queue leaves the lock to other processes. */
	private long turnEndNanos;

	/**
	 * The time before which an announced release does not make the request ask. Without a
	 * backoff, all processes that compete for the lock would ask at the same time.
	 */
	private long backoffEndNanos;

	private long latestNanos;

	/**
	 * How often tries failed because of competing owners, since the last lease or the
	 * last wait for an announced release.
	 */
	private int splits;

	/** Whether an event has made another try worthwhile since the last try began. */
	private boolean news;

	NextTry(Ticker ticker, RandomGenerator random, RoundTimes roundTimes) {
		this.ticker = ticker;
		this.random = random;
		this.roundTimes = roundTimes;
		clear();
	}

	/**
	 * Returns how long the first request waits before its next try; zero if the request
	 * asks now. An event may end the wait earlier.
	 */
	Duration pause() {
		return Duration.ofNanos(Math.max(0, this.latestNanos - now()));
	}

	@Nullable Wait waitsFor() {
		return this.wait;
	}

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
	 * Handles an announced release of the lock.
	 * @param nanos for how many nanoseconds this queue leaves the lock to other processes
	 */
	void released(long nanos) {
		this.turnEndNanos = now() + nanos;
		newsCame();
	}

	/**
	 * Handles a lease of the first request, or a handover of the lock to the next
	 * request.
	 */
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
		 * The request waits for the release of an owner with a majority, but may not be
		 * notified of the release. This process is not subscribed yet, or the owner does
		 * not announce its releases.
		 */
		UNHEARD_OWNER,

		/**
		 * The request waits because several owners compete and none has a majority or an
		 * agreed fence. The state also applies if an owner seems to be releasing the lock
		 * without an announcement.
		 */
		RIVALS,

		/** The request waits until enough nodes can vote in time. */
		NODES;

		/**
		 * Returns the reason to wait after a refusal, by all votes received so far. A
		 * request waits for an announcement only from an owner with a majority, because
		 * other owners do not announce their releases.
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

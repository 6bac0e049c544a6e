package dev.redlock.internal.waiting;

import java.time.Duration;
import java.util.Objects;
import java.util.random.RandomGenerator;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.internal.vote.RoundTimes;
import dev.redlock.internal.vote.Tally;
import dev.redlock.internal.vote.Verdict.Failed;
import dev.redlock.spi.Ticker;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;

/**
 * Decides when the first request of a queue asks the nodes again. A request that waits
 * for a release asks after a limited time even if no release is announced. An announced
 * release ends the wait, after a pause in which other processes can take the lock. A
 * request asks once more before its deadline, even during the pause for other processes.
 */
public final class NextTry {

	/**
	 * Limits the wait for an announced release. The announcement may be lost, for example
	 * because the holder lost its right to publish, an idle connection of this process
	 * was silently dropped, or a key was deleted by hand.
	 */
	public static final Duration LONGEST_WAIT_FOR_RELEASE = Duration.ofSeconds(5);

	private static final int MOST_DOUBLINGS = 20;

	private final Ticker ticker;

	private final RandomGenerator random;

	private final RoundTimes roundTimes;

	private @Nullable Wait wait;

	private long pauseForOthersEndNanos;

	/**
	 * A release does not end the backoff, because otherwise all competing processes would
	 * ask at the same time.
	 */
	private long backoffEndNanos;

	private long latestNanos;

	private int splitVotes;

	/**
	 * A release during a try may be newer than the votes of the nodes, so the refused
	 * request asks again soon.
	 */
	private boolean retryWanted;

	NextTry(Ticker ticker, RandomGenerator random, RoundTimes roundTimes) {
		this.ticker = ticker;
		this.random = random;
		this.roundTimes = roundTimes;
		clear();
	}

	Duration pause() {
		return Duration.ofNanos(Math.max(0, this.latestNanos - now()));
	}

	@Nullable Wait waitsFor() {
		return this.wait;
	}

	void asked() {
		this.retryWanted = false;
	}

	void refused(Wait why, Tally votes, Duration retryDelay) {
		this.wait = why;
		this.backoffEndNanos = now();
		switch (why) {
			case RELEASE -> {
				this.splitVotes = 0;
				Duration claim = Objects.requireNonNull(votes.shortestRemaining());
				Duration afterIt = claim.plusMillis(1).plus(randomly(grace()));
				this.latestNanos = now() + shorter(afterIt, randomly(LONGEST_WAIT_FOR_RELEASE)).toNanos();
			}
			case UNANNOUNCED_RELEASE -> this.latestNanos = now() + randomly(retryDelay).toNanos();
			case RIVALS ->
				backOff(shorter(retryDelay, grace().multipliedBy(1L << Math.min(this.splitVotes++, MOST_DOUBLINGS))));
			case NODES -> backOff(retryDelay);
		}
		if (this.retryWanted || this.latestNanos - earliestNanos() < 0) {
			this.latestNanos = earliestNanos();
		}
	}

	void firstChanged(Duration retryDelay) {
		if (this.wait != Wait.RELEASE && pause().compareTo(retryDelay) > 0) {
			this.backoffEndNanos = Math.min(this.backoffEndNanos - now(), retryDelay.toNanos()) + now();
			this.latestNanos = now() + Math.max(retryDelay.toNanos(), earliestNanos() - now());
		}
	}

	void retrySoon() {
		this.retryWanted = true;
		this.latestNanos = earliestNanos();
	}

	void released(long nanos) {
		this.pauseForOthersEndNanos = now() + nanos;
		retrySoon();
	}

	void clear() {
		this.pauseForOthersEndNanos = now();
		forgetRefusals();
	}

	void forgetRefusals() {
		this.wait = null;
		this.splitVotes = 0;
		this.backoffEndNanos = now();
		this.latestNanos = earliestNanos();
	}

	private void backOff(Duration longest) {
		this.backoffEndNanos = now() + randomly(longest).toNanos();
		this.latestNanos = this.backoffEndNanos;
	}

	private long earliestNanos() {
		return (this.pauseForOthersEndNanos - this.backoffEndNanos > 0) ? this.pauseForOthersEndNanos
				: this.backoffEndNanos;
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

	enum Wait {

		/** The request waits until an owner with a majority announces its release. */
		RELEASE,

		/**
		 * The request waits for an owner with a majority, but this process may receive no
		 * announcement of the release.
		 */
		UNANNOUNCED_RELEASE,

		/**
		 * The request waits because several owners compete, and none has a majority or an
		 * agreed fence.
		 */
		RIVALS,

		/** The request waits until a majority of the nodes can vote. */
		NODES;

		/**
		 * A request waits for an announced release only if the owner has a majority,
		 * because other owners do not announce their releases.
		 */
		static Wait after(Failed failure, boolean subscribed) {
			Reason reason = failure.reason();
			Tally votes = failure.votes();
			if (reason == Reason.HELD && !votes.won() && subscribed && votes.shortestRemaining() != null) {
				return RELEASE;
			}
			// The key was free on one node, so the owner of the key on the other nodes
			// may be releasing it.
			boolean granted = votes.count(Vote.Granted.class::isInstance) > 0;
			if (reason == Reason.HELD) {
				return granted ? RIVALS : UNANNOUNCED_RELEASE;
			}
			return (reason == Reason.SPLIT_VOTE || reason == Reason.FENCE_NOT_SETTLED) ? RIVALS : NODES;
		}

	}

}

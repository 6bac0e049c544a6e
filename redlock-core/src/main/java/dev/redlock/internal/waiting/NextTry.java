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
 * release ends the wait, after a pause in which other processes can take the lock. The
 * {@code Deadline} of a request shortens each of these times, so that it asks once more
 * before its end.
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

	private Refusal last;

	private long pauseForOthersEndNanos;

	/**
	 * A release during a try may be newer than the votes of the nodes, so the refused
	 * request asks again soon.
	 */
	private boolean retryWanted;

	NextTry(Ticker ticker, RandomGenerator random, RoundTimes roundTimes) {
		this.ticker = ticker;
		this.random = random;
		this.roundTimes = roundTimes;
		this.pauseForOthersEndNanos = now();
		this.last = none();
	}

	Duration pause() {
		long now = now();
		return Duration.ofNanos(Math.max(0, Math.max(this.last.latestNanos - now, this.pauseForOthersEndNanos - now)));
	}

	@Nullable Wait waitsFor() {
		return this.last.why;
	}

	void asked() {
		this.retryWanted = false;
	}

	void refused(Wait why, Tally votes, Duration retryDelay) {
		int splitVotes = (why == Wait.RELEASE) ? 0 : this.last.splitVotes + ((why == Wait.RIVALS) ? 1 : 0);
		long longest = switch (why) {
			case RELEASE -> {
				Duration claim = Objects.requireNonNull(votes.shortestRemaining());
				Duration afterIt = claim.plusMillis(1).plus(randomly(grace()));
				yield shorter(afterIt, randomly(LONGEST_WAIT_FOR_RELEASE)).toNanos();
			}
			case UNANNOUNCED_RELEASE, NODES -> randomly(retryDelay).toNanos();
			case RIVALS -> {
				Duration backoff = grace().multipliedBy(1L << Math.min(this.last.splitVotes, MOST_DOUBLINGS));
				yield randomly(shorter(retryDelay, backoff)).toNanos();
			}
		};
		boolean backsOff = why == Wait.RIVALS || why == Wait.NODES;
		Refusal refusal = new Refusal(why, backsOff ? now() + longest : now(), now() + longest, splitVotes);
		this.last = this.retryWanted ? refusal.afterBackoff() : refusal;
	}

	void firstChanged(Duration retryDelay) {
		if (this.last.why != Wait.RELEASE) {
			this.last = this.last.within(retryDelay.toNanos(), now());
		}
	}

	void retrySoon() {
		this.retryWanted = true;
		this.last = this.last.afterBackoff();
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
		this.last = none();
	}

	private Refusal none() {
		return new Refusal(null, now(), now(), 0);
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
	 * The last refusal.
	 *
	 * @param backoffEndNanos when the request may ask if a release is announced; later
	 * than now only among rivals and without a quorum, because otherwise all competing
	 * processes would ask at the same time
	 * @param latestNanos when the request asks even if no release is announced
	 */
	private record Refusal(@Nullable Wait why, long backoffEndNanos, long latestNanos, int splitVotes) {

		Refusal afterBackoff() {
			return new Refusal(this.why, this.backoffEndNanos, this.backoffEndNanos, this.splitVotes);
		}

		Refusal within(long nanos, long now) {
			return new Refusal(this.why, now + Math.min(this.backoffEndNanos - now, nanos),
					now + Math.min(this.latestNanos - now, nanos), this.splitVotes);
		}

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
		 * The request waits because several owners compete without a majority or an
		 * agreed fence, or because the owner may just be releasing.
		 */
		RIVALS,

		/** The request waits until a majority of the nodes can vote in time. */
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

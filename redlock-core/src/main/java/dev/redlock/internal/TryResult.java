package dev.redlock.internal;

import dev.redlock.LockNotAcquiredException.Reason;
import org.jspecify.annotations.Nullable;

/**
 * The result of one try: a grant, or the reason for its failure. The result of a settled
 * tick has neither a grant nor a reason.
 *
 * @param grant the grant, if the try was won
 * @param reason the reason for the failure, if the try was not won
 * @param votes the votes that decided the try
 * @param round the round of the votes, which receives later votes; null if later votes do
 * not count
 */
record TryResult(@Nullable Grant grant, @Nullable Reason reason, Tally votes, @Nullable Round round) {

	/**
	 * Returns all votes received so far, including those after the decision.
	 */
	Tally latestVotes() {
		return (this.round != null) ? this.round.tally() : this.votes;
	}

	/**
	 * Returns the reason for the failure by all votes received so far. A try may be
	 * decided before the last vote, but a late vote may show that one owner has a
	 * majority.
	 */
	@Nullable Reason latestReason() {
		return (this.round == null || isFinal() || this.votes.won()) ? this.reason : latestVotes().whyNotWon();
	}

	/**
	 * Returns the reason to report if the request ends now, possibly before the last
	 * vote. If the votes so far name one owner, the lock is reported as held.
	 */
	@Nullable Reason likelyReason() {
		return (mayChange() && latestVotes().looksHeld()) ? Reason.HELD : latestReason();
	}

	/**
	 * Whether later votes may still change {@link #latestReason()}.
	 */
	boolean mayChange() {
		return this.round != null && !isFinal() && !this.votes.won() && !latestVotes().isExplained();
	}

	/**
	 * Whether the request ends with the result of this try.
	 */
	boolean isFinal() {
		return this.reason == Reason.TICK_TAKEN || this.reason == Reason.TICK_LOST;
	}

}

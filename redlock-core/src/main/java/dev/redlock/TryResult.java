package dev.redlock;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;

/**
 * How one try ended: with a grant or with a reason, never both.
 *
 * @param grant what was granted, if the try was won
 * @param reason why it was not won
 * @param votes the votes that decided it
 * @param round the round that they were given in, where later votes come in
 */
record TryResult(@Nullable Grant grant, @Nullable Reason reason, Tally votes, Round round) {

	/**
	 * The votes as they are known by now.
	 */
	Tally latestVotes() {
		return this.round.tally();
	}

	/**
	 * Why it was not won, by all votes that have come in by now: a try is decided before
	 * the last vote, and that may be the one that shows that one owner has a majority.
	 */
	@Nullable Reason latestReason() {
		return (this.reason == null || this.votes.won()) ? this.reason : latestVotes().whyNotWon();
	}

	/**
	 * Whether later votes may still change {@link #latestReason()}.
	 */
	boolean mayChange() {
		return !this.votes.won() && !latestVotes().isExplained();
	}

	/**
	 * Whether the try failed only because the nodes' clocks were not known: now they are,
	 * and the next proposal will suit them.
	 */
	boolean taughtClocks() {
		return this.votes
			.blockedBy((vote) -> vote instanceof Vote.Faulted faulted && faulted.fault() == Vote.Fault.CLOCK);
	}

}

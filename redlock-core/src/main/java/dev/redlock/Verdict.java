package dev.redlock;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;

/**
 * How one attempt ended: with a lease or with a reason, never both.
 *
 * @param lease the lease, if it was won
 * @param reason why it was not won
 * @param votes the votes that decided it
 * @param round the round that they were given in, where later votes come in
 */
record Verdict(@Nullable HeldLease lease, @Nullable Reason reason, Tally votes, Round round) {

	/**
	 * The votes as they stand now.
	 */
	Tally latestVotes() {
		return this.round.tally();
	}

	/**
	 * Runs an action as soon as later votes cannot change why it was not won.
	 */
	void whenExplained(Runnable action) {
		if (this.votes.won()) {
			action.run();
		}
		else {
			this.round.explained().thenRun(action);
		}
	}

	/**
	 * Why it was not won, by all votes that have come in by now: a verdict falls before
	 * the last vote, and that may be the one that shows that one owner has a majority.
	 */
	@Nullable Reason latestReason() {
		return (this.reason == null || this.votes.won()) ? this.reason : latestVotes().whyNotWon();
	}

	/**
	 * Whether the attempt failed only because the nodes' clocks were not known: now they
	 * are, and the next proposal will suit them.
	 */
	boolean taughtClocks() {
		return this.votes
			.blockedBy((vote) -> vote instanceof Vote.Faulted faulted && faulted.fault() == Vote.Fault.CLOCK);
	}

}

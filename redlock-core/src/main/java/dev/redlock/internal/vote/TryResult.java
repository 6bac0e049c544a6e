package dev.redlock.internal.vote;

import dev.redlock.LockNotAcquiredException.Reason;
import org.jspecify.annotations.Nullable;

/**
 * The result of one try: a grant, or the reason for its failure. The result of a
 * {@link TickRound} that succeeded has neither a grant nor a reason.
 *
 * @param round the round to which late votes are still added, null if late votes do not
 * matter
 */
public record TryResult(@Nullable Grant grant, @Nullable Reason reason, Tally votes, @Nullable Round round) {

	public Tally latestVotes() {
		return (this.round != null) ? this.round.tally() : this.votes;
	}

	/**
	 * Returns why the try failed, counting late votes, because late votes may show an
	 * owner with a majority.
	 */
	public @Nullable Reason latestReason() {
		return (this.round == null || endsRequest() || this.votes.won()) ? this.reason : latestVotes().whyNotWon();
	}

	/**
	 * Returns HELD if all votes so far name one owner, even if some nodes have not voted.
	 */
	public @Nullable Reason likelyReason() {
		return (reasonMayChange() && latestVotes().mayBeHeldByOneOwner()) ? Reason.HELD : latestReason();
	}

	public boolean reasonMayChange() {
		return this.round != null && !endsRequest() && !this.votes.won() && !latestVotes().reasonIsCertain();
	}

	public boolean endsRequest() {
		return this.reason == Reason.TICK_TAKEN || this.reason == Reason.TICK_LOST;
	}

}

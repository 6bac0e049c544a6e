package dev.redlock.internal.vote;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;

/**
 * What one try has come to.
 */
public sealed interface Verdict {

	/**
	 * @param handedOver whether the claim took the lock from a lease of this process
	 */
	record Won(Grant grant, Tally votes, boolean handedOver) implements Verdict {

	}

	sealed interface Failed extends Verdict {

		Tally votes();

		Reason reason();

		/**
		 * Returns HELD if all votes so far name one owner, even if some nodes have not
		 * voted.
		 */
		default Reason likelyReason() {
			return reason();
		}

		default boolean reasonMayChange() {
			return false;
		}

		/**
		 * Whether the proposed fence does not fit the clocks of too many nodes.
		 */
		default boolean isForUnknownClocks() {
			return this instanceof FailedSoFar
					&& votes().isBlockedBy((vote) -> vote instanceof Faulted faulted && faulted.fault() == Fault.CLOCK);
		}

		/**
		 * Whether no further try of the same request can succeed.
		 */
		default boolean endsRequest() {
			return this instanceof FailedFor failed
					&& (failed.reason == Reason.TICK_TAKEN || failed.reason == Reason.TICK_LOST);
		}

	}

	/**
	 * A failure for a reason that no late vote changes.
	 */
	record FailedFor(Reason reason, Tally votes) implements Failed {

	}

	/**
	 * A failure whose reason follows from the votes. Late votes count, because they may
	 * show an owner with a majority.
	 */
	record FailedSoFar(Round round) implements Failed {

		@Override
		public Tally votes() {
			return this.round.tally();
		}

		@Override
		public Reason reason() {
			return votes().whyNotWon();
		}

		@Override
		public Reason likelyReason() {
			Tally votes = votes();
			return votes.mayBeHeldByOneOwner() ? Reason.HELD : votes.whyNotWon();
		}

		@Override
		public boolean reasonMayChange() {
			return !votes().reasonIsCertain();
		}

	}

}

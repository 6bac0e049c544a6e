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
 */
record Verdict(@Nullable HeldLease lease, @Nullable Reason reason, Tally votes) {

	/**
	 * Whether the attempt failed only because the nodes' clocks were not known: now they
	 * are, and the next proposal will suit them.
	 */
	boolean taughtClocks() {
		return this.votes
			.blockedBy((vote) -> vote instanceof Vote.Faulted faulted && faulted.fault() == Vote.Fault.CLOCK);
	}

}

package dev.redlock;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;

/**
 * The votes of a round as they stood at one instant.
 *
 * @param nodes who was asked
 * @param votes their votes in the same order; null where there is none yet
 * @param needed how many grants win
 */
record Tally(List<LockNode> nodes, List<@Nullable Vote> votes, int needed) {

	boolean won() {
		return count(Vote.Granted.class::isInstance) >= this.needed;
	}

	/**
	 * Why a round that was not won was not.
	 */
	Reason whyNotWon() {
		if (blockedBy(Vote.Faulted.class::isInstance)) {
			return Reason.NO_QUORUM;
		}
		return (Owners.most(this.votes) >= this.needed) ? Reason.HELD : Reason.SPLIT_VOTE;
	}

	/**
	 * Whether the votes that are still missing cannot change {@link #whyNotWon()}.
	 */
	boolean isExplained() {
		int missing = Collections.frequency(this.votes, null);
		int most = Owners.most(this.votes);
		int faulted = count(Vote.Faulted.class::isInstance);
		int blocking = this.nodes.size() - this.needed + 1;
		return most >= this.needed || faulted >= blocking
				|| (most + missing < this.needed && faulted + missing < blocking);
	}

	/**
	 * Whether at least as many nodes voted like this as make a majority impossible.
	 */
	boolean blockedBy(Predicate<Vote> kind) {
		return count(kind) >= this.nodes.size() - this.needed + 1;
	}

	int count(Predicate<Vote> kind) {
		int count = 0;
		for (Vote vote : this.votes) {
			if (vote != null && kind.test(vote)) {
				count++;
			}
		}
		return count;
	}

	/**
	 * The nodes that may have done what was asked: they said so, or nobody knows.
	 */
	List<LockNode> unlessRefused() {
		List<LockNode> possible = new ArrayList<>(this.nodes.size());
		for (int i = 0; i < this.nodes.size(); i++) {
			Vote vote = this.votes.get(i);
			if (vote == null || vote instanceof Vote.Granted
					|| (vote instanceof Vote.Faulted faulted && faulted.mayHaveRun())) {
				possible.add(this.nodes.get(i));
			}
		}
		// Nearly always all of them, and a lease need not keep a list of its own then.
		return (possible.size() == this.nodes.size()) ? this.nodes : possible;
	}

	/**
	 * What each node said, for people.
	 */
	List<NodeVote> named() {
		List<NodeVote> named = new ArrayList<>(this.nodes.size());
		for (int i = 0; i < this.nodes.size(); i++) {
			named.add(new NodeVote(this.nodes.get(i).name(), this.votes.get(i)));
		}
		return named;
	}

}

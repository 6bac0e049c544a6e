package dev.redlock.internal.vote;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.NodeVote;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;

/**
 * The votes of a round at one instant.
 *
 * @param votes the votes in the order of the nodes, null for a node that has not voted
 * @param needed the number of nodes that must grant the operation
 */
public record Tally(List<LockNode> nodes, List<@Nullable Vote> votes, int needed) {

	public Tally of(int key) {
		List<@Nullable Vote> one = new ArrayList<>(this.votes.size());
		for (Vote vote : this.votes) {
			one.add((vote instanceof Vote.Seen seen) ? seen.keys().get(key) : vote);
		}
		return new Tally(this.nodes, one, this.needed);
	}

	public boolean won() {
		return count(Vote.Granted.class::isInstance) >= this.needed;
	}

	Reason whyNotWon() {
		if (isBlockedBy(Vote.Faulted.class::isInstance)) {
			return Reason.NO_QUORUM;
		}
		return (Vote.heldByOne(this.votes) >= this.needed) ? Reason.HELD : Reason.SPLIT_VOTE;
	}

	boolean reasonIsCertain() {
		int missing = Collections.frequency(this.votes, null);
		int most = Vote.heldByOne(this.votes);
		int faulted = count(Vote.Faulted.class::isInstance);
		int blocking = this.nodes.size() - this.needed + 1;
		return most >= this.needed || faulted >= blocking
				|| (most + missing < this.needed && faulted + missing < blocking);
	}

	/**
	 * Whether no node has granted the lock and all refusals name one owner, who may have
	 * a majority.
	 */
	boolean mayBeHeldByOneOwner() {
		int most = Vote.heldByOne(this.votes);
		int missing = Collections.frequency(this.votes, null);
		return most > 0 && most + missing >= this.needed && most == count(Vote.Refused.class::isInstance)
				&& count(Vote.Granted.class::isInstance) == 0;
	}

	/**
	 * Whether the votes of the given kind make a majority of grants impossible.
	 */
	public boolean isBlockedBy(Predicate<@Nullable Vote> kind) {
		return count(kind) >= this.nodes.size() - this.needed + 1;
	}

	public static Predicate<@Nullable Vote> refusedAs(Vote.Refusal why) {
		return (vote) -> vote instanceof Vote.Refused refused && refused.why() == why;
	}

	public int count(Predicate<@Nullable Vote> kind) {
		int count = 0;
		for (Vote vote : this.votes) {
			count += kind.test(vote) ? 1 : 0;
		}
		return count;
	}

	public long max(ToLongFunction<@Nullable Vote> value) {
		long largest = Long.MIN_VALUE;
		for (Vote vote : this.votes) {
			largest = Math.max(largest, value.applyAsLong(vote));
		}
		return largest;
	}

	/**
	 * Returns the shortest time after which a node that refused will forget the lock.
	 * Returns null if no node refused, if a refusal has no remaining time, or if an owner
	 * does not announce its releases.
	 */
	public @Nullable Duration shortestRemaining() {
		Duration shortest = null;
		for (Vote vote : this.votes) {
			if (vote instanceof Vote.Refused refused) {
				Duration left = refused.remaining();
				if (left == null || !refused.announces()) {
					return null;
				}
				shortest = (shortest == null || left.compareTo(shortest) < 0) ? left : shortest;
			}
		}
		return shortest;
	}

	/**
	 * Saves memory by returning the existing list of nodes if all their votes are of the
	 * given kind.
	 */
	public List<LockNode> nodesWith(Predicate<@Nullable Vote> kind) {
		List<LockNode> matching = new ArrayList<>(this.nodes.size());
		for (int i = 0; i < this.nodes.size(); i++) {
			if (kind.test(this.votes.get(i))) {
				matching.add(this.nodes.get(i));
			}
		}
		return (matching.size() == this.nodes.size()) ? this.nodes : matching;
	}

	/**
	 * Returns the nodes that may have run the operation, because they granted it or their
	 * answer is unknown.
	 */
	List<LockNode> unlessRefused() {
		return nodesWith((vote) -> vote == null || vote instanceof Vote.Granted
				|| (vote instanceof Vote.Faulted faulted && faulted.mayHaveRun()));
	}

	public List<NodeVote> named() {
		return IntStream.range(0, this.nodes.size())
			.mapToObj((i) -> new NodeVote(this.nodes.get(i).name(), this.votes.get(i)))
			.toList();
	}

}

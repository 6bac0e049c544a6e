package dev.redlock.internal;

import java.util.List;

import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Refused;
import org.jspecify.annotations.Nullable;

/**
 * The number of nodes that form a majority, computed from the configured nodes, never
 * from the connected ones.
 *
 * @param nodes the configured number of nodes
 */
public record Quorum(int nodes) {

	/**
	 * Checks that there is a node.
	 * @param nodes the configured number of nodes
	 */
	public Quorum {
		if (nodes < 1) {
			throw new IllegalArgumentException("A quorum needs at least one node, not " + nodes);
		}
	}

	/**
	 * Returns the smallest number of nodes of which any two sets share a node.
	 * @return the number of nodes
	 */
	public int majority() {
		return this.nodes / 2 + 1;
	}

	/**
	 * Returns the number of nodes held by the owner that holds most of them. A vote that
	 * does not identify the owner is not counted.
	 * @param votes the votes of the nodes about one key
	 * @return the number of nodes
	 */
	public static int heldByOne(List<? extends @Nullable Vote> votes) {
		int most = 0;
		for (Vote vote : votes) {
			most = Math.max(most, heldBy(votes, ownerOf(vote)));
		}
		return most;
	}

	/**
	 * Returns the number of nodes held by one owner.
	 * @param votes the votes of the nodes about one key
	 * @param owner the {@linkplain Refused#ownerHash() hash} of the owner
	 * @return the number of nodes
	 */
	public static int heldBy(List<? extends @Nullable Vote> votes, int owner) {
		int count = 0;
		for (Vote vote : votes) {
			count += (owner != 0 && ownerOf(vote) == owner) ? 1 : 0;
		}
		return count;
	}

	private static int ownerOf(@Nullable Vote vote) {
		return (vote instanceof Refused refused) ? refused.ownerHash() : 0;
	}

}

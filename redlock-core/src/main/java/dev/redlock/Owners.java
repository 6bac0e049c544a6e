package dev.redlock;

import java.util.List;

import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Refused;
import org.jspecify.annotations.Nullable;

/**
 * Counts of the owners that hold a key, from the votes of the nodes. A vote that does not
 * identify the owner is not counted.
 */
final class Owners {

	private Owners() {
	}

	/**
	 * Returns the number of nodes held by the owner that holds most of them.
	 */
	static int most(List<? extends @Nullable Vote> votes) {
		return votes.stream().mapToInt((vote) -> count(votes, ownerOf(vote))).max().orElse(0);
	}

	/**
	 * Returns the number of nodes held by one owner.
	 */
	static int count(List<? extends @Nullable Vote> votes, int owner) {
		return (int) votes.stream().filter((vote) -> owner != 0 && ownerOf(vote) == owner).count();
	}

	private static int ownerOf(@Nullable Vote vote) {
		return (vote instanceof Refused refused) ? refused.ownerHash() : 0;
	}

}

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
		int most = 0;
		for (Vote vote : votes) {
			most = Math.max(most, count(votes, ownerOf(vote)));
		}
		return most;
	}

	/**
	 * Returns the number of nodes held by one owner.
	 */
	static int count(List<? extends @Nullable Vote> votes, int owner) {
		int count = 0;
		for (Vote vote : votes) {
			if (owner != 0 && ownerOf(vote) == owner) {
				count++;
			}
		}
		return count;
	}

	private static int ownerOf(@Nullable Vote vote) {
		return (vote instanceof Refused refused) ? refused.ownerHash() : 0;
	}

}

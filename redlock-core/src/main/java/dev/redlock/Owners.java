package dev.redlock;

import java.util.List;

import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Refused;
import org.jspecify.annotations.Nullable;

/**
 * Tells the owners that stand in the way of a lock apart. An owner whose node did not say
 * which one it is counts for nothing.
 */
final class Owners {

	private Owners() {
	}

	/**
	 * On how many nodes the owner that has most of them stands in the way.
	 */
	static int most(List<? extends @Nullable Vote> votes) {
		int most = 0;
		for (Vote vote : votes) {
			most = Math.max(most, count(votes, ownerOf(vote)));
		}
		return most;
	}

	/**
	 * On how many nodes one owner stands in the way.
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

package dev.redlock;

import java.time.Duration;

import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;

/**
 * The answer of one node to a request for a lock.
 *
 * @param vote the vote of the node, null if the outcome was clear before the node
 * answered
 */
public record NodeVote(String node, @Nullable Vote vote) {

	/**
	 * Returns the name and the vote of the node as one line of text.
	 */
	@Override
	public String toString() {
		return this.node + ": " + describe(this.vote);
	}

	private static String by(@Nullable String holder) {
		return (holder != null && !holder.isEmpty()) ? " by " + holder : "";
	}

	private static String describe(@Nullable Vote vote) {
		if (vote instanceof Vote.Faulted faulted) {
			return "faulted, " + faulted.fault() + ", " + faulted.detail();
		}
		if (vote instanceof Vote.Refused refused) {
			Duration remaining = refused.remaining();
			return "refused, " + refused.why() + by(refused.holder())
					+ ((remaining != null) ? " for another " + remaining.toMillis() + " ms" : "");
		}
		return (vote != null) ? "granted" : "had not answered when the other nodes had decided the attempt";
	}

}

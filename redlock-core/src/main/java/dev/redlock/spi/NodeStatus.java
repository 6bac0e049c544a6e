package dev.redlock.spi;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Whether a node may vote, and if not, why and for how long.
 *
 * @param state the state
 * @param reason a sentence for people, empty when the node is ready
 * @param remaining how long the state will last, where that is known
 */
public record NodeStatus(State state, String reason, @Nullable Duration remaining) {

	/**
	 * A node that votes.
	 */
	public static final NodeStatus READY = new NodeStatus(State.READY, "", null);

	/**
	 * A status without a known end.
	 * @param state the state
	 * @param reason a sentence for people
	 * @return the status
	 */
	public static NodeStatus of(State state, String reason) {
		return new NodeStatus(state, reason, null);
	}

	/**
	 * The states of a node. Only a {@link #READY} node votes.
	 */
	public enum State {

		/**
		 * No connection has been made yet, or it was lost.
		 */
		UNAVAILABLE,

		/**
		 * Connected, and being asked what it is.
		 */
		CHECKING,

		/**
		 * May have forgotten locks, and waits until they have all expired.
		 */
		QUARANTINED,

		/**
		 * Set up so that locks on it would not be safe.
		 */
		UNFIT,

		/**
		 * Votes.
		 */
		READY

	}

}

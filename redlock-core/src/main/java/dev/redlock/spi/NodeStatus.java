package dev.redlock.spi;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The status of a node: whether it may vote, and if not, why and for how long.
 *
 * @param state the state
 * @param reason a sentence for people, empty when the node is ready
 * @param remaining the time that the state will last, null if unknown
 */
public record NodeStatus(State state, String reason, @Nullable Duration remaining) {

	/**
	 * The status of a node that votes.
	 */
	public static final NodeStatus READY = new NodeStatus(State.READY, "", null);

	/**
	 * Returns a status without a known end.
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
		 * There is no connection yet, or the connection was lost.
		 */
		UNAVAILABLE,

		/**
		 * Connected; the configuration of its server is being checked.
		 */
		CHECKING,

		/**
		 * The node may have forgotten locks, and waits until they have all expired.
		 */
		QUARANTINED,

		/**
		 * The server is configured so that locks on it would not be safe.
		 */
		UNFIT,

		/**
		 * The node votes.
		 */
		READY

	}

}

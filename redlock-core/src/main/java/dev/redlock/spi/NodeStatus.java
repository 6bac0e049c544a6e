package dev.redlock.spi;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The status of a node: whether the node may vote, and if not, why and for how long.
 *
 * @param reason a sentence for people that says why the node cannot vote, empty when the
 * node is ready
 * @param remaining the time that the state will last, null if unknown
 */
public record NodeStatus(State state, String reason, @Nullable Duration remaining) {

	/**
	 * The status of a node that may vote.
	 */
	public static final NodeStatus READY = new NodeStatus(State.READY, "", null);

	/**
	 * Returns a status that lasts for an unknown time.
	 */
	public static NodeStatus of(State state, String reason) {
		return new NodeStatus(state, reason, null);
	}

	/**
	 * The states of a node. Only a {@link #READY} node grants locks. A node in another
	 * state may still extend locks that it has, if its server was not restarted.
	 */
	public enum State {

		/**
		 * The node has no connection to its server.
		 */
		UNAVAILABLE,

		/**
		 * The node is connected, and the configuration of its server is being checked.
		 */
		CHECKING,

		/**
		 * The node may have forgotten locks, and waits until all forgotten locks have
		 * expired.
		 */
		QUARANTINED,

		/**
		 * The server may not vote until an operator acts: its configuration makes locks
		 * unsafe, it refuses writes or the password, or another node uses it too.
		 */
		UNFIT,

		/**
		 * The node votes.
		 */
		READY

	}

}

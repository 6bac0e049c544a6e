package dev.redlock.sample.demo;

import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus;
import dev.redlock.test.RedisNode;
import org.jspecify.annotations.Nullable;

/**
 * A node: the condition of its server, and its state for the lock.
 *
 * @param name the name of the node
 * @param condition the condition of the server, null if this application did not start it
 * @param state the state of the node for the lock
 * @param reason the reason if it does not vote
 * @param remainingMillis the time until it votes again, if that is known
 */
record NodeView(String name, @Nullable Condition condition, NodeStatus.State state, String reason,
		@Nullable Long remainingMillis) {

	static NodeView of(LockNode node, @Nullable RedisNode server) {
		NodeStatus status = node.status();
		Long remaining = (status.remaining() != null) ? status.remaining().toMillis() : null;
		return new NodeView(node.name(), (server != null) ? Condition.of(server) : null, status.state(),
				status.reason(), remaining);
	}

	/**
	 * The condition of a server.
	 */
	enum Condition {

		/**
		 * It runs and can be reached.
		 */
		RUNNING,

		/**
		 * It was killed.
		 */
		KILLED,

		/**
		 * It was frozen.
		 */
		FROZEN,

		/**
		 * It runs but cannot be reached.
		 */
		CUT_OFF;

		private static Condition of(RedisNode server) {
			if (!server.isRunning()) {
				return KILLED;
			}
			if (server.isFrozen()) {
				return FROZEN;
			}
			return server.isCutOff() ? CUT_OFF : RUNNING;
		}

	}

}

package dev.redlock.sample.page;

import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus;
import dev.redlock.test.RedisNode;
import org.jspecify.annotations.Nullable;

/**
 * A node from both sides: what was done to the server, and what the lock knows of it.
 *
 * @param name the name of the node
 * @param condition what was done to the server, null if it is not ours
 * @param state whether the node votes, as the lock has it
 * @param reason why it does not
 * @param remainingMillis how long that will last, where it is known
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
	 * What became of a server.
	 */
	enum Condition {

		/**
		 * It runs, and can be reached.
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
		 * It runs, and cannot be reached.
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

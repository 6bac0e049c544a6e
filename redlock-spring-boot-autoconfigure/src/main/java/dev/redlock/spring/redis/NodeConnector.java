package dev.redlock.spring.redis;

import java.util.concurrent.Executor;

/**
 * Makes the connections of one node.
 */
interface NodeConnector {

	/**
	 * Where {@link #connect} runs, since it blocks.
	 */
	Executor helpers();

	/**
	 * Connects, and blocks meanwhile.
	 * @param clocks are told the times of the servers
	 */
	NodeConnection connect(NodeClocks clocks);

	/**
	 * What to do about a user name or password that is not accepted.
	 * @param node the name of the node
	 * @param bySentinel whether it was a sentinel that did not accept it
	 */
	String remedy(String node, boolean bySentinel);

	/**
	 * Ends the threads that belong to this node alone, when their work is done.
	 */
	default void close() {
	}

}

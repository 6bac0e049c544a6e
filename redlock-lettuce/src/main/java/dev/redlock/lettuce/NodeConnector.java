package dev.redlock.lettuce;

import java.util.concurrent.Executor;

import org.jspecify.annotations.Nullable;

/**
 * Makes the connections of one node. There is a kind for Lettuce clients of the lock's
 * own, and one for connection factories of the application.
 */
interface NodeConnector {

	/**
	 * Runs {@link #connect}, which blocks.
	 */
	Executor executor();

	/**
	 * Connects. Blocks meanwhile.
	 * @param check checks the servers
	 */
	NodeConnection connect(ServerCheck check);

	/**
	 * Returns what to do about a user name or password that was rejected.
	 * @param bySentinel whether a sentinel rejected it
	 */
	String remedy(boolean bySentinel);

	/**
	 * Returns the subscriptions to releases of the node, or null if this kind of node
	 * announces releases but cannot listen for them.
	 */
	default @Nullable ReleaseSubscriptions subscriptions() {
		return null;
	}

	/**
	 * Ends the threads of this node when their work is done.
	 */
	default void close() {
	}

}

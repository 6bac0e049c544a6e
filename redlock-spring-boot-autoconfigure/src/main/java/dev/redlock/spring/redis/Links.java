package dev.redlock.spring.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The connections of one node, made and lost together: one, or one to each master of a
 * cluster.
 */
interface Links {

	/**
	 * All connections, at least one.
	 */
	List<ServerLink> servers();

	/**
	 * The keys in groups that one script may touch, in the order of the keys.
	 */
	List<KeyGroup> route(List<String> keys);

	/**
	 * Closes all connections.
	 * @return completes when they are closed
	 */
	CompletableFuture<Void> close();

	/**
	 * Some keys and who serves them.
	 *
	 * @param link the connection to their server
	 * @param keys the keys
	 */
	record KeyGroup(ServerLink link, List<String> keys) {

	}

}

package dev.redlock.spring.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

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
	 * The connection to the server that has all keys, or null if several have them.
	 */
	@Nullable ServerLink serving(List<String> keys);

	/**
	 * The keys in groups that one script may touch, in the order of the keys.
	 */
	List<KeyGroup> route(List<String> keys);

	/**
	 * The connection to the server that has the keys about the node itself.
	 */
	default ServerLink aboutNode(String prefix) {
		return route(List.of(Marker.key(prefix))).get(0).link();
	}

	/**
	 * Whether one script may touch any keys together.
	 */
	boolean keepsAllKeysTogether();

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

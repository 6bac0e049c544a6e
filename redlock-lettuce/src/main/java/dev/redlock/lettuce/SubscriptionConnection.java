package dev.redlock.lettuce;

import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * A connection for announcements of releases.
 */
interface SubscriptionConnection {

	CompletionStage<Void> subscribe(String key);

	CompletionStage<Void> unsubscribe(String key);

	/**
	 * Whether the channels are those of a Redis Cluster.
	 */
	boolean isSharded();

	void close();

	/**
	 * Makes connections, and blocks meanwhile.
	 */
	interface Connector extends Function<Listener, SubscriptionConnection> {

	}

	/**
	 * Receives the events of the connections.
	 */
	interface Listener {

		default void subscribed(String key) {
		}

		default void unsubscribed(String key) {
		}

		default void message(String key, String message) {
		}

		default void lost() {
		}

	}

}

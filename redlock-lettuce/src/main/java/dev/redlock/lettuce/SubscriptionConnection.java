package dev.redlock.lettuce;

import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.pubsub.RedisPubSubListener;

/**
 * A connection for announcements of releases.
 */
interface SubscriptionConnection {

	CompletionStage<Void> subscribe(String key);

	CompletionStage<Void> unsubscribe(String key);

	void close();

	/**
	 * Creates connections, and blocks meanwhile.
	 */
	interface Connector extends Function<Listener, SubscriptionConnection> {

	}

	/**
	 * Receives the events of the connections. No connection subscribes to patterns.
	 */
	interface Listener extends RedisPubSubListener<String, String>, RedisConnectionStateListener {

		@Override
		default void message(String pattern, String channel, String message) {
		}

		@Override
		default void psubscribed(String pattern, long count) {
		}

		@Override
		default void punsubscribed(String pattern, long count) {
		}

	}

}

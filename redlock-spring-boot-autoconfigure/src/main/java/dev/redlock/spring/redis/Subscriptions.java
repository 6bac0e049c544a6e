package dev.redlock.spring.redis;

import java.util.concurrent.CompletionStage;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulConnection;

/**
 * The connections over which one node tells of releases. The channel of a key has the
 * name of the key.
 */
interface Subscriptions {

	CompletionStage<Void> subscribe(String key);

	CompletionStage<Void> unsubscribe(String key);

	void close();

	/**
	 * Is told what comes over the connections, on their I/O threads.
	 */
	interface Listener {

		/**
		 * Whom nothing concerns.
		 */
		Listener NOBODY = new Listener() {

			@Override
			public void subscribed(String key) {
			}

			@Override
			public void unsubscribed(String key) {
			}

			@Override
			public void message(String key, String message) {
			}

			@Override
			public void lost() {
			}

		};

		void subscribed(String key);

		void unsubscribed(String key);

		void message(String key, String message);

		void lost();

	}

	static void watchLoss(StatefulConnection<String, String> connection, Listener listener) {
		connection.addListener(new RedisConnectionStateListener() {

			@Override
			public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
				listener.lost();
			}

		});
	}

}

package dev.redlock.spring.redis;

import java.util.concurrent.CompletionStage;

import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;

/**
 * Listens to one server, found directly or through sentinels.
 */
final class StandaloneSubscriptions implements Subscriptions {

	private final StatefulRedisPubSubConnection<String, String> connection;

	private StandaloneSubscriptions(StatefulRedisPubSubConnection<String, String> connection) {
		this.connection = connection;
	}

	static Subscriptions connect(RedisClient client, Listener listener) {
		StatefulRedisPubSubConnection<String, String> connection = client.connectPubSub(StringCodec.UTF8);
		Subscriptions.watchLoss(connection, listener);
		connection.addListener(new RedisPubSubAdapter<>() {

			@Override
			public void message(String channel, String message) {
				listener.message(channel, message);
			}

			@Override
			public void subscribed(String channel, long count) {
				listener.subscribed(channel);
			}

			@Override
			public void unsubscribed(String channel, long count) {
				listener.unsubscribed(channel);
			}

		});
		return new StandaloneSubscriptions(connection);
	}

	@Override
	public CompletionStage<Void> subscribe(String key) {
		return this.connection.async().subscribe(key);
	}

	@Override
	public CompletionStage<Void> unsubscribe(String key) {
		return this.connection.async().unsubscribe(key);
	}

	@Override
	public void close() {
		this.connection.closeAsync();
	}

}

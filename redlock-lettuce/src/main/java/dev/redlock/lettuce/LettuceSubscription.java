package dev.redlock.lettuce;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.pubsub.StatefulRedisClusterPubSubConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.RedisPubSubListener;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.pubsub.api.async.RedisPubSubAsyncCommands;
import org.jspecify.annotations.Nullable;

/**
 * A Lettuce connection for announcements of releases. On a Redis Cluster there is one to
 * each master, because sharded channels exist only on the server of their slot.
 */
final class LettuceSubscription implements SubscriptionConnection {

	private final StatefulConnection<String, String> all;

	private final boolean sharded;

	private final Function<String, @Nullable StatefulRedisPubSubConnection<String, String>> byKey;

	private LettuceSubscription(StatefulConnection<String, String> all, boolean sharded,
			Function<String, @Nullable StatefulRedisPubSubConnection<String, String>> byKey) {
		this.all = all;
		this.sharded = sharded;
		this.byKey = byKey;
	}

	/**
	 * Connects, and blocks meanwhile.
	 * @param listener is called on the I/O threads of the connections
	 */
	static SubscriptionConnection connect(AbstractRedisClient client, Listener listener) {
		if (client instanceof RedisClusterClient cluster) {
			return connect(cluster, listener);
		}
		StatefulRedisPubSubConnection<String, String> connection = ((RedisClient) client)
			.connectPubSub(StringCodec.UTF8);
		listen(connection, listener);
		return new LettuceSubscription(connection, false, (key) -> connection);
	}

	private static SubscriptionConnection connect(RedisClusterClient client, Listener listener) {
		StatefulRedisClusterPubSubConnection<String, String> cluster = client.connectPubSub(StringCodec.UTF8);
		try {
			Map<Integer, StatefulRedisPubSubConnection<String, String>> bySlot = new HashMap<>();
			for (RedisClusterNode node : client.getPartitions()) {
				if (node.getRole().isUpstream() && !node.hasNoSlots()) {
					StatefulRedisPubSubConnection<String, String> connection = cluster.getConnection(node.getNodeId());
					listen(connection, listener);
					node.forEachSlot((slot) -> bySlot.put(slot, connection));
				}
			}
			return new LettuceSubscription(cluster, true, (key) -> bySlot.get(SlotHash.getSlot(key)));
		}
		catch (RuntimeException ex) {
			cluster.closeAsync();
			throw ex;
		}
	}

	@Override
	public CompletionStage<Void> subscribe(String key) {
		return call(key, (server) -> this.sharded ? server.ssubscribe(key) : server.subscribe(key));
	}

	@Override
	public CompletionStage<Void> unsubscribe(String key) {
		return call(key, (server) -> this.sharded ? server.sunsubscribe(key) : server.unsubscribe(key));
	}

	@Override
	public void close() {
		this.all.closeAsync();
	}

	private CompletionStage<Void> call(String key,
			Function<RedisPubSubAsyncCommands<String, String>, CompletionStage<Void>> command) {
		StatefulRedisPubSubConnection<String, String> connection = this.byKey.apply(key);
		return (connection != null) ? command.apply(connection.async()) : CompletableFuture
			.failedFuture(new IllegalStateException("No member of the cluster serves the slot of " + key));
	}

	private static void listen(StatefulRedisPubSubConnection<String, String> connection, Listener listener) {
		connection.addListener((RedisConnectionStateListener) listener);
		connection.addListener((RedisPubSubListener<String, String>) listener);
	}

}

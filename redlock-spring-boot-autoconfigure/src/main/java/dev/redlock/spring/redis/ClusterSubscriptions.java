package dev.redlock.spring.redis;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.pubsub.StatefulRedisClusterPubSubConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;

/**
 * Listens to the masters of a Redis Cluster by sharded channels, which only the server of
 * a key's slot knows of.
 */
final class ClusterSubscriptions implements Subscriptions {

	private final StatefulRedisClusterPubSubConnection<String, String> cluster;

	private final Map<Integer, StatefulRedisPubSubConnection<String, String>> bySlot = new HashMap<>();

	private ClusterSubscriptions(StatefulRedisClusterPubSubConnection<String, String> cluster) {
		this.cluster = cluster;
	}

	static Subscriptions connect(RedisClusterClient client, Listener listener) {
		StatefulRedisClusterPubSubConnection<String, String> cluster = client.connectPubSub(StringCodec.UTF8);
		try {
			ClusterSubscriptions subscriptions = new ClusterSubscriptions(cluster);
			for (RedisClusterNode node : client.getPartitions()) {
				if (node.getRole().isUpstream() && !node.hasNoSlots()) {
					subscriptions.add(node, listener);
				}
			}
			return subscriptions;
		}
		catch (RuntimeException ex) {
			cluster.closeAsync();
			throw ex;
		}
	}

	@Override
	public CompletionStage<Void> subscribe(String key) {
		StatefulRedisPubSubConnection<String, String> connection = this.bySlot.get(SlotHash.getSlot(key));
		return (connection != null) ? connection.async().ssubscribe(key) : nobodyServes(key);
	}

	@Override
	public CompletionStage<Void> unsubscribe(String key) {
		StatefulRedisPubSubConnection<String, String> connection = this.bySlot.get(SlotHash.getSlot(key));
		return (connection != null) ? connection.async().sunsubscribe(key) : nobodyServes(key);
	}

	@Override
	public void close() {
		this.cluster.closeAsync();
	}

	private void add(RedisClusterNode node, Listener listener) {
		StatefulRedisPubSubConnection<String, String> connection = this.cluster.getConnection(node.getNodeId());
		Subscriptions.watchLoss(connection, listener);
		connection.addListener(new RedisPubSubAdapter<>() {

			@Override
			public void smessage(String channel, String message) {
				listener.message(channel, message);
			}

			@Override
			public void ssubscribed(String channel, long count) {
				listener.subscribed(channel);
			}

			@Override
			public void sunsubscribed(String channel, long count) {
				listener.unsubscribed(channel);
			}

		});
		node.forEachSlot((slot) -> this.bySlot.put(slot, connection));
	}

	private static CompletionStage<Void> nobodyServes(String key) {
		return CompletableFuture
			.failedFuture(new IllegalStateException("No member of the cluster serves the slot of " + key));
	}

}

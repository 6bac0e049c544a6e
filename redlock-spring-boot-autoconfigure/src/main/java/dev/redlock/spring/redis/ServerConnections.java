package dev.redlock.spring.redis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.StringCodec;
import org.jspecify.annotations.Nullable;

/**
 * The connections to the servers of one node: to one server, or to each master of a Redis
 * Cluster. Lettuce finds those; commands then go to each by itself, since redirecting one
 * would break both order and the tie to the server that was checked. When slots move, the
 * node connects anew.
 */
final class ServerConnections {

	private final StatefulConnection<String, String> connection;

	private final List<ServerConnection> servers = new ArrayList<>();

	/** Null where one server has all keys. */
	private final @Nullable ServerConnection @Nullable [] bySlot;

	private ServerConnections(StatefulConnection<String, String> connection, boolean sharded) {
		this.connection = connection;
		this.bySlot = sharded ? new ServerConnection[SlotHash.SLOT_COUNT] : null;
	}

	static ServerConnections connect(RedisClient client,
			BiFunction<String, StatefulRedisConnection<String, String>, ServerConnection> connector) {
		StatefulRedisConnection<String, String> connection = client.connect(StringCodec.UTF8);
		ServerConnections connections = new ServerConnections(connection, false);
		connections.servers.add(connector.apply("", connection));
		return connections;
	}

	static ServerConnections connect(RedisClusterClient client,
			BiFunction<String, StatefulRedisConnection<String, String>, ServerConnection> connector) {
		StatefulRedisClusterConnection<String, String> connection = client.connect(StringCodec.UTF8);
		try {
			client.refreshPartitions();
			ServerConnections connections = new ServerConnections(connection, true);
			for (RedisClusterNode node : client.getPartitions()) {
				if (node.getRole().isUpstream() && !node.hasNoSlots()) {
					connections.add(node,
							connector.apply(node.getNodeId(), connection.getConnection(node.getNodeId())));
				}
			}
			if (connections.servers.isEmpty()) {
				throw new IllegalStateException("No member of the cluster serves any slot");
			}
			return connections;
		}
		catch (RuntimeException ex) {
			connection.closeAsync();
			throw ex;
		}
	}

	/**
	 * All connections, at least one.
	 */
	List<ServerConnection> servers() {
		return this.servers;
	}

	/**
	 * The connection to the server that has all keys, or null if several have them.
	 */
	@Nullable ServerConnection serving(List<String> keys) {
		if (this.bySlot == null) {
			return this.servers.get(0);
		}
		int slot = SlotHash.getSlot(keys.get(0));
		boolean together = keys.size() == 1 || keys.stream().allMatch((key) -> SlotHash.getSlot(key) == slot);
		return together ? serving(this.bySlot, slot) : null;
	}

	/**
	 * The keys in groups that one script may touch, in the order of the keys.
	 */
	List<KeyGroup> route(List<String> keys) {
		if (this.bySlot == null) {
			return List.of(new KeyGroup(this.servers.get(0), keys));
		}
		Map<Integer, List<String>> keysBySlot = new LinkedHashMap<>();
		for (String key : keys) {
			keysBySlot.computeIfAbsent(SlotHash.getSlot(key), (slot) -> new ArrayList<>()).add(key);
		}
		List<KeyGroup> groups = new ArrayList<>(keysBySlot.size());
		keysBySlot.forEach((slot, group) -> groups.add(new KeyGroup(serving(this.bySlot, slot), group)));
		return groups;
	}

	/**
	 * The connection to the server that has the keys about the node itself.
	 */
	ServerConnection aboutNode(String prefix) {
		return route(List.of(Marker.key(prefix))).get(0).server();
	}

	/**
	 * Whether a script may not touch any keys together, and channels belong to slots.
	 */
	boolean sharded() {
		return this.bySlot != null;
	}

	/**
	 * Closes all connections.
	 * @return completes when they are closed
	 */
	CompletableFuture<Void> close() {
		CompletableFuture<?>[] closed = this.servers.stream()
			.map(ServerConnection::close)
			.toArray(CompletableFuture[]::new);
		return sharded() ? this.connection.closeAsync() : CompletableFuture.allOf(closed);
	}

	private void add(RedisClusterNode node, ServerConnection server) {
		this.servers.add(server);
		ServerConnection[] slots = this.bySlot;
		if (slots != null) {
			node.forEachSlot((slot) -> slots[slot] = server);
		}
	}

	/**
	 * A slot that no master serves is asked of any server, whose refusal says so.
	 */
	private ServerConnection serving(@Nullable ServerConnection[] slots, int slot) {
		ServerConnection server = slots[slot];
		return (server != null) ? server : this.servers.get(0);
	}

	/**
	 * Some keys and the server that has them.
	 *
	 * @param server the connection to their server
	 * @param keys the keys
	 */
	record KeyGroup(ServerConnection server, List<String> keys) {

	}

}

package dev.redlock.spring.redis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import dev.redlock.spi.Scheduler;
import dev.redlock.spi.Ticker;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.StringCodec;
import org.jspecify.annotations.Nullable;

/**
 * The connections to the masters of a Redis Cluster. Lettuce finds them; commands then go
 * to each by itself, since redirecting one would break both order and the tie to the
 * server that was checked. When slots move, the node connects anew.
 */
final class ClusterLinks implements Links {

	private final StatefulRedisClusterConnection<String, String> connection;

	private final List<ServerLink> servers = new ArrayList<>();

	private final @Nullable ServerLink[] bySlot = new ServerLink[SlotHash.SLOT_COUNT];

	private ClusterLinks(StatefulRedisClusterConnection<String, String> connection) {
		this.connection = connection;
	}

	static Links connect(RedisClusterClient client, NodeSettings settings, ScriptEncoder encoder, Scheduler scheduler,
			Ticker ticker) {
		StatefulRedisClusterConnection<String, String> connection = client.connect(StringCodec.UTF8);
		try {
			client.refreshPartitions();
			ClusterLinks links = new ClusterLinks(connection);
			Executor thread = IoThread.of(client.getResources());
			for (RedisClusterNode node : client.getPartitions()) {
				if (node.getRole().isUpstream() && !node.hasNoSlots()) {
					links.add(node, new ServerLink(node.getNodeId(), connection.getConnection(node.getNodeId()),
							settings, encoder, scheduler, thread, ticker));
				}
			}
			if (links.servers.isEmpty()) {
				throw new IllegalStateException("No member of the cluster serves any slot");
			}
			return links;
		}
		catch (RuntimeException ex) {
			connection.closeAsync();
			throw ex;
		}
	}

	@Override
	public List<ServerLink> servers() {
		return this.servers;
	}

	@Override
	public @Nullable ServerLink serving(List<String> keys) {
		int slot = SlotHash.getSlot(keys.get(0));
		boolean together = keys.size() == 1 || keys.stream().allMatch((key) -> SlotHash.getSlot(key) == slot);
		return together ? serving(slot) : null;
	}

	@Override
	public List<KeyGroup> route(List<String> keys) {
		Map<Integer, List<String>> bySlot = new LinkedHashMap<>();
		for (String key : keys) {
			bySlot.computeIfAbsent(SlotHash.getSlot(key), (slot) -> new ArrayList<>()).add(key);
		}
		List<KeyGroup> groups = new ArrayList<>(bySlot.size());
		bySlot.forEach((slot, group) -> groups.add(new KeyGroup(serving(slot), group)));
		return groups;
	}

	@Override
	public boolean keepsAllKeysTogether() {
		return false;
	}

	@Override
	public CompletableFuture<Void> close() {
		this.servers.forEach(ServerLink::close);
		return this.connection.closeAsync();
	}

	private void add(RedisClusterNode node, ServerLink link) {
		this.servers.add(link);
		node.forEachSlot((slot) -> this.bySlot[slot] = link);
	}

	/**
	 * A slot that nobody serves is asked of any server, whose refusal says so.
	 */
	private ServerLink serving(int slot) {
		ServerLink link = this.bySlot[slot];
		return (link != null) ? link : this.servers.get(0);
	}

}

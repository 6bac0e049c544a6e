package dev.redlock.lettuce.internal.check;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.Executor;

import dev.redlock.lettuce.internal.clock.NodeContext;
import dev.redlock.lettuce.internal.connection.ConnectionOptions;
import dev.redlock.lettuce.internal.connection.NodeConnection;
import dev.redlock.lettuce.internal.connection.ServerConnection;
import dev.redlock.lettuce.internal.facts.AclRules;
import dev.redlock.lettuce.internal.script.Channels;
import dev.redlock.lettuce.internal.script.ScriptEncoder;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.StringCodec;

/**
 * Connects a node to Redis by a Lettuce client of its own.
 */
public final class LettuceConnector implements NodeConnector {

	private final AbstractRedisClient client;

	private final int database;

	private final NodeContext context;

	private final ScriptEncoder encoder;

	private final Executor executor;

	private final Map<Object, String> addresses = Collections.synchronizedMap(new WeakHashMap<>());

	public LettuceConnector(AbstractRedisClient client, int database, NodeContext context, ScriptEncoder encoder,
			Executor executor) {
		this.client = client;
		this.database = database;
		this.context = context;
		this.encoder = encoder;
		this.executor = executor;
		client.addListener(new RedisConnectionStateListener() {

			@Override
			public void onRedisConnected(RedisChannelHandler<?, ?> connection, SocketAddress address) {
				LettuceConnector.this.addresses.put(connection, text(address));
			}

		});
		ConnectionOptions.override(client, context.settings());
	}

	@Override
	public Executor executor() {
		return this.executor;
	}

	@Override
	public NodeConnection connect(ServerCheck check) {
		if (this.client instanceof RedisClusterClient cluster) {
			return connect(cluster, check);
		}
		// Over RESP3, one connection carries both commands and announcements of releases.
		StatefulRedisConnection<String, String> connection = ((RedisClient) this.client).connect(StringCodec.UTF8);
		return new NodeServers(check, this.context.settings().keyPrefix(), new Channels(false, this.database),
				List.of(server("", connection, check)), null, connection);
	}

	@Override
	public String remedy(boolean bySentinel) {
		String instance = "redlock.instances." + this.context.node();
		String group = bySentinel ? ".sentinel" : "";
		return "Set " + instance + group + ".password, and " + instance + group
				+ ".username unless the user is 'default'"
				+ (bySentinel ? "" : ", or both in " + instance + ".url or redlock.defaults")
				+ ". With a connection-factory, set both on its bean";
	}

	@Override
	public String aclRules() {
		return AclRules.of(this.context.settings().keyPrefix(), this.client instanceof RedisClusterClient);
	}

	private NodeConnection connect(RedisClusterClient cluster, ServerCheck check) {
		// A topology refresh also asks the configured cluster members, because all
		// members that Lettuce knows may be gone.
		cluster.refreshPartitions();
		StatefulRedisClusterConnection<String, String> connection = cluster.connect(StringCodec.UTF8);
		try {
			List<ServerConnection> servers = new ArrayList<>();
			ServerConnection[] bySlot = new ServerConnection[SlotHash.SLOT_COUNT];
			for (RedisClusterNode member : cluster.getPartitions()) {
				if (member.getRole().isUpstream() && !member.hasNoSlots()) {
					String place = member.getNodeId();
					ServerConnection server = server(place, connection.getConnection(place), check);
					servers.add(server);
					member.forEachSlot((slot) -> bySlot[slot] = server);
				}
			}
			if (servers.isEmpty()) {
				throw new IllegalStateException("No member of the cluster serves any slot");
			}
			return new NodeServers(check, this.context.settings().keyPrefix(), Channels.SHARDED, servers, bySlot,
					connection);
		}
		catch (RuntimeException ex) {
			connection.closeAsync();
			throw ex;
		}
	}

	private ServerConnection server(String place, StatefulRedisConnection<String, String> connection,
			ServerCheck check) {
		return new ServerConnection(place, this.addresses.getOrDefault(connection, "its server"), connection,
				this.context, this.encoder, check.clocks());
	}

	private static String text(SocketAddress address) {
		return (address instanceof InetSocketAddress internet) ? internet.getHostString() + ":" + internet.getPort()
				: address.toString();
	}

}

package dev.redlock.spring.redis;

import java.util.concurrent.Executor;

import dev.redlock.spi.EventLoop;
import dev.redlock.spi.Ticker;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import org.jspecify.annotations.Nullable;

/**
 * Connects a node by a Lettuce client of its own, which it makes fit for locks, whatever
 * customizers did to it before.
 */
final class LettuceConnector implements NodeConnector {

	private final AbstractRedisClient client;

	private final NodeSettings settings;

	private final ScriptEncoder encoder;

	private final EventLoop loop;

	private final Executor helpers;

	private final Ticker ticker;

	/** One for all connections, since it closes the former one. Used by one at a time. */
	private @Nullable ServerCheck check;

	LettuceConnector(AbstractRedisClient client, NodeSettings settings, ScriptEncoder encoder, EventLoop loop,
			Executor helpers, Ticker ticker) {
		this.client = client;
		this.settings = settings;
		this.encoder = encoder;
		this.loop = loop;
		this.helpers = helpers;
		this.ticker = ticker;
		restrain();
	}

	AbstractRedisClient client() {
		return this.client;
	}

	@Override
	public Executor helpers() {
		return this.helpers;
	}

	@Override
	public NodeConnection connect(NodeClocks clocks) {
		ServerConnections connections = (this.client instanceof RedisClusterClient cluster)
				? ServerConnections.connect(cluster, (place, connection) -> connection(place, connection, clocks))
				: ServerConnections.connect((RedisClient) this.client,
						(place, connection) -> connection(place, connection, clocks));
		return new LettuceNodeConnection(connections, check(clocks), this.settings.keyPrefix());
	}

	@Override
	public String remedy(String node, boolean bySentinel) {
		String instance = "redlock.instances." + node;
		String group = bySentinel ? ".sentinel" : "";
		return "Set " + instance + group + ".password, and " + instance + group
				+ ".username unless the user is 'default'" + (bySentinel ? "" : " (or both in " + instance + ".url)");
	}

	private ServerCheck check(NodeClocks clocks) {
		ServerCheck known = this.check;
		if (known == null) {
			known = new ServerCheck(this.settings, this.ticker, clocks);
			this.check = known;
		}
		return known;
	}

	private ServerConnection connection(String place, StatefulRedisConnection<String, String> connection,
			NodeClocks clocks) {
		return new ServerConnection(place, connection, this.settings, this.encoder, clocks, this.loop, this.ticker);
	}

	private void restrain() {
		ClientOptions options = this.client.getOptions();
		if (this.client instanceof RedisClusterClient cluster) {
			ClusterClientOptions.Builder builder = (options instanceof ClusterClientOptions clusterOptions)
					? clusterOptions.mutate() : ClusterClientOptions.builder(options);
			restrain(builder, options);
			cluster.setOptions(builder.build());
		}
		else if (this.client instanceof RedisClient standalone) {
			ClientOptions.Builder builder = options.mutate();
			restrain(builder, options);
			standalone.setOptions(builder.build());
		}
		else {
			throw new IllegalArgumentException("There are no nodes over a " + this.client.getClass().getName());
		}
	}

	private void restrain(ClientOptions.Builder builder, ClientOptions options) {
		// Nothing is kept back and sent again: on a server that was restarted in between,
		// what is sent again would be granted.
		builder.autoReconnect(false).disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS);
		// A plain queue is the quicker one for commands that are answered in their order.
		// The other one is quicker at taking out what could not be written any more, of
		// which there is not much within this bound.
		builder.requestQueueSize(NodeSettings.LONGEST_QUEUE).useHashIndexQueue(false);
		// Timeouts are the lock's own affair. Lettuce's would give up an answer without
		// taking the command back.
		builder.timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build());
		builder.publishOnScheduler(false);
		builder.socketOptions(options.getSocketOptions()
			.mutate()
			.connectTimeout(this.settings.connectTimeout())
			.keepAlive(true)
			.tcpNoDelay(true)
			.build());
	}

}

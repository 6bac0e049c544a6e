package dev.redlock.lettuce.internal.connection;

import dev.redlock.lettuce.internal.facts.NodeSettings;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;

/**
 * The options of a Lettuce client that would make locks unsafe or slow, so the lock
 * overrides them even if customizers of the application have set them. All other options
 * stay, for example those of TLS.
 */
public final class ConnectionOptions {

	private ConnectionOptions() {
	}

	public static void override(AbstractRedisClient client, NodeSettings settings) {
		ClientOptions options = client.getOptions();
		ClientOptions.Builder builder = options.mutate();
		// Lettuce must not send old commands again over a new connection. After a restart
		// of the server, an old command could acquire a lock that another client holds.
		builder.autoReconnect(false).disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS);
		// Redis answers commands in order, so a plain queue of commands is faster than a
		// hash index.
		builder.requestQueueSize(NodeSettings.LONGEST_QUEUE).useHashIndexQueue(false);
		// A Lettuce timeout would drop the answer although the server still runs the
		// command, so the lock has its own timeouts.
		builder.timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build());
		builder.publishOnScheduler(false);
		builder.socketOptions(
				options.getSocketOptions().mutate().connectTimeout(settings.connectTimeout()).tcpNoDelay(true).build());
		if (client instanceof RedisClusterClient cluster) {
			cluster.setOptions((ClusterClientOptions) builder.build());
		}
		else {
			((RedisClient) client).setOptions(builder.build());
		}
	}

}

package dev.redlock.spring.redis;

import java.util.function.Function;
import java.util.function.Supplier;

import dev.redlock.spi.Scheduler;
import dev.redlock.spi.Ticker;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;

/**
 * Makes a Lettuce client fit for locks, whatever customizers did to it before.
 */
final class NodeClient {

	/**
	 * More than a healthy server ever has open, few enough not to hurt.
	 */
	static final int LONGEST_QUEUE = 16_384;

	private NodeClient() {
	}

	static Supplier<Links> connector(AbstractRedisClient client, NodeSettings settings, ScriptEncoder encoder,
			Scheduler scheduler, Ticker ticker) {
		ClientOptions options = client.getOptions();
		if (client instanceof RedisClusterClient cluster) {
			ClusterClientOptions.Builder builder = (options instanceof ClusterClientOptions clusterOptions)
					? clusterOptions.mutate() : ClusterClientOptions.builder(options);
			restrain(builder, options, settings);
			cluster.setOptions(builder.build());
			return () -> ClusterLinks.connect(cluster, settings, encoder, scheduler, ticker);
		}
		if (client instanceof RedisClient standalone) {
			ClientOptions.Builder builder = options.mutate();
			restrain(builder, options, settings);
			standalone.setOptions(builder.build());
			return () -> StandaloneLinks.connect(standalone, settings, encoder, scheduler, ticker);
		}
		throw new IllegalArgumentException("There are no nodes over a " + client.getClass().getName());
	}

	/**
	 * How to listen to the server or servers that the client leads to.
	 */
	static Function<Subscriptions.Listener, Subscriptions> listening(AbstractRedisClient client) {
		return (listener) -> (client instanceof RedisClusterClient cluster)
				? ClusterSubscriptions.connect(cluster, listener)
				: StandaloneSubscriptions.connect((RedisClient) client, listener);
	}

	private static void restrain(ClientOptions.Builder builder, ClientOptions options, NodeSettings settings) {
		// Nothing is kept back and sent again: on a server that was restarted in between,
		// what is sent again would be granted.
		builder.autoReconnect(false).disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS);
		// A plain queue is the quicker one for commands that are answered in their order.
		// The other one is quicker at taking out what could not be written any more, of
		// which there is not much within this bound.
		builder.requestQueueSize(LONGEST_QUEUE).useHashIndexQueue(false);
		// Timeouts are the lock's own affair. Lettuce's would give up an answer without
		// taking the command back.
		builder.timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build());
		builder.publishOnScheduler(false);
		builder.socketOptions(options.getSocketOptions()
			.mutate()
			.connectTimeout(settings.connectTimeout())
			.keepAlive(true)
			.tcpNoDelay(true)
			.build());
	}

}

package dev.redlock.spring.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.redlock.spi.Scheduler;
import dev.redlock.spi.Ticker;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;

/**
 * The connection to one master, found directly or through sentinels.
 */
final class StandaloneLinks implements Links {

	private final ServerLink server;

	private final List<ServerLink> servers;

	private StandaloneLinks(ServerLink link) {
		this.server = link;
		this.servers = List.of(link);
	}

	static Links connect(RedisClient client, NodeSettings settings, ScriptEncoder encoder, Scheduler scheduler,
			Ticker ticker) {
		StatefulRedisConnection<String, String> connection = client.connect(StringCodec.UTF8);
		return new StandaloneLinks(new ServerLink("", connection, settings, encoder, scheduler,
				IoThread.of(client.getResources()), ticker));
	}

	@Override
	public List<ServerLink> servers() {
		return this.servers;
	}

	@Override
	public ServerLink serving(List<String> keys) {
		return this.server;
	}

	@Override
	public List<KeyGroup> route(List<String> keys) {
		return List.of(new KeyGroup(this.server, keys));
	}

	@Override
	public boolean keepsAllKeysTogether() {
		return true;
	}

	@Override
	public CompletableFuture<Void> close() {
		return this.server.close();
	}

}

package dev.redlock.spring.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import dev.redlock.spi.Ticker;
import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.StringCodec;

/**
 * The connection to one master, found directly or through sentinels.
 */
final class StandaloneLinks implements Links {

	private final List<ServerLink> servers;

	private StandaloneLinks(ServerLink link) {
		this.servers = List.of(link);
	}

	static Links connect(RedisClient client, NodeSettings settings, Executor executor, Ticker ticker) {
		return new StandaloneLinks(new ServerLink(client.connect(StringCodec.UTF8), settings, executor, ticker));
	}

	@Override
	public List<ServerLink> servers() {
		return this.servers;
	}

	@Override
	public List<KeyGroup> route(List<String> keys) {
		return List.of(new KeyGroup(this.servers.get(0), keys));
	}

	@Override
	public boolean keepsAllKeysTogether() {
		return true;
	}

	@Override
	public CompletableFuture<Void> close() {
		return this.servers.get(0).close();
	}

}

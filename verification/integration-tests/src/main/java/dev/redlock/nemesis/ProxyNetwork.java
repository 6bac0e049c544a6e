package dev.redlock.nemesis;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.redlock.nemesis.proxy.FaultProxy;
import dev.redlock.nemesis.proxy.Link;
import dev.redlock.test.RedisNode;
import org.jspecify.annotations.Nullable;

/**
 * One machine, with a proxy of its own for each client in front of each server.
 */
final class ProxyNetwork implements Network {

	private static final String HERE = "127.0.0.1";

	private final Map<String, FaultProxy> proxies = new HashMap<>();

	@Override
	public RedisNode start(String name, @Nullable SteppedClock clock) {
		return (clock != null) ? RedisNode.start(name, clock.executable()) : RedisNode.start(name);
	}

	@Override
	public RedisNode startDurable(String name, @Nullable FailingDisk disk) {
		return (disk != null) ? RedisNode.startDurable(name, disk.executable("")) : RedisNode.startDurable(name);
	}

	@Override
	public List<String> clientPrefix(int client) {
		return List.of();
	}

	@Override
	public String address(int client, RedisNode server) {
		return HERE + ":" + proxy(client, server).port();
	}

	@Override
	public Link link(int client, RedisNode server) {
		return proxy(client, server);
	}

	@Override
	public void setCable(RedisNode server, boolean in) {
		throw new UnsupportedOperationException("Only a server on a host of its own has a cable");
	}

	@Override
	public String ownHost() {
		return HERE;
	}

	@Override
	public void close() {
		this.proxies.values().forEach(FaultProxy::close);
	}

	private FaultProxy proxy(int client, RedisNode server) {
		return this.proxies.computeIfAbsent(client + server.name(), (link) -> FaultProxy.to(server.port()));
	}

}

package dev.redlock.nemesis;

import java.util.HashMap;
import java.util.Map;

import dev.redlock.nemesis.proxy.FaultProxy;
import dev.redlock.test.RedisNode;
import org.jspecify.annotations.Nullable;

/**
 * One machine, with a proxy of its own for each client in front of each server.
 */
final class ProxyNetwork implements AutoCloseable {

	private final Map<String, FaultProxy> proxies = new HashMap<>();

	/**
	 * Starts a server that keeps nothing.
	 * @param clock its clock, or null for that of the machine
	 */
	RedisNode start(String name, @Nullable SteppedClock clock) {
		return (clock != null) ? RedisNode.start(name, clock.executable()) : RedisNode.start(name);
	}

	/**
	 * Starts a server that keeps its data.
	 * @param disk its disk, or null for that of the machine
	 */
	RedisNode startDurable(String name, @Nullable FailingDisk disk) {
		return (disk != null) ? RedisNode.startDurable(name, disk.executable("")) : RedisNode.startDurable(name);
	}

	/**
	 * Host and port by which a client connects to a server.
	 */
	String address(int client, RedisNode server) {
		return "127.0.0.1:" + proxy(client, server).port();
	}

	/**
	 * The way from a client to a server.
	 */
	FaultProxy proxy(int client, RedisNode server) {
		return this.proxies.computeIfAbsent(client + server.name(), (link) -> FaultProxy.to(server.port()));
	}

	@Override
	public void close() {
		this.proxies.values().forEach(FaultProxy::close);
	}

}

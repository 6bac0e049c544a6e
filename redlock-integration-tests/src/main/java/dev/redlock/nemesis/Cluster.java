package dev.redlock.nemesis;

import java.util.ArrayList;
import java.util.List;

import dev.redlock.nemesis.proxy.FaultProxy;
import dev.redlock.test.RedisNode;

/**
 * Real servers, and for each client a proxy of its own in front of each server, so that
 * the network can fail for one and not for another.
 */
final class Cluster implements AutoCloseable {

	private final List<RedisNode> servers = new ArrayList<>();

	private final List<List<FaultProxy>> proxies = new ArrayList<>();

	private final int durable;

	private Cluster(int durable) {
		this.durable = durable;
	}

	/**
	 * Starts the servers, the durable ones last.
	 */
	static Cluster start(int servers, int durable, int clients) {
		Cluster cluster = new Cluster(durable);
		try {
			for (int i = 0; i < servers; i++) {
				String name = String.valueOf((char) ('a' + i));
				boolean keeps = i >= servers - durable;
				cluster.servers.add(keeps ? RedisNode.startDurable(name) : RedisNode.start(name));
			}
			for (int i = 0; i < clients; i++) {
				cluster.proxies.add(cluster.servers.stream().map((server) -> FaultProxy.to(server.port())).toList());
			}
			return cluster;
		}
		catch (RuntimeException ex) {
			cluster.close();
			throw ex;
		}
	}

	List<RedisNode> servers() {
		return this.servers;
	}

	List<RedisNode> forgetful() {
		return this.servers.subList(0, this.servers.size() - this.durable);
	}

	List<RedisNode> durable() {
		return this.servers.subList(this.servers.size() - this.durable, this.servers.size());
	}

	FaultProxy proxy(int client, int server) {
		return this.proxies.get(client).get(server);
	}

	/**
	 * The ports to which a client connects.
	 */
	List<Integer> ports(int client) {
		return this.proxies.get(client).stream().map(FaultProxy::port).toList();
	}

	/**
	 * Notes each lock key that is still on a server.
	 */
	void findOrphans(int names, History history) {
		for (RedisNode server : this.servers) {
			for (int i = 0; i < names; i++) {
				String key = LockDriver.KEY_PREFIX + Worker.lockName(i);
				if (!Long.valueOf(0).equals(server.command("EXISTS", key))) {
					history.note(Event.Kind.ORPHAN, key, server.name());
				}
			}
		}
	}

	@Override
	public void close() {
		this.proxies.forEach((proxies) -> proxies.forEach(FaultProxy::close));
		this.servers.forEach(RedisNode::close);
	}

}

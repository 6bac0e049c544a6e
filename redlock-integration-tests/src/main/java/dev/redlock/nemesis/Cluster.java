package dev.redlock.nemesis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.redlock.nemesis.proxy.FaultProxy;
import dev.redlock.test.RedisNode;
import org.jspecify.annotations.Nullable;

/**
 * Real servers, and for each client a proxy of its own in front of each server, so that
 * the network can fail for one and not for another.
 */
final class Cluster implements AutoCloseable {

	private final List<RedisNode> servers = new ArrayList<>();

	private final List<List<FaultProxy>> proxies = new ArrayList<>();

	private final Map<String, SteppedClock> clocks = new HashMap<>();

	private final int durable;

	private Cluster(int durable) {
		this.durable = durable;
	}

	/**
	 * Starts the servers, the durable ones last.
	 * @param shim gives each server that is not durable a clock of its own, or null where
	 * none can be had
	 */
	static Cluster start(int servers, int durable, int clients, @Nullable ClockShim shim) {
		Cluster cluster = new Cluster(durable);
		try {
			for (int i = 0; i < servers; i++) {
				String name = String.valueOf((char) ('a' + i));
				boolean keeps = i >= servers - durable;
				cluster.servers.add(keeps ? RedisNode.startDurable(name) : cluster.forgetful(name, shim));
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

	/**
	 * Makes the clock of a server step to so much ahead of the others. Does nothing where
	 * its clock cannot be stepped.
	 */
	void setClock(RedisNode server, Duration ahead) {
		SteppedClock clock = this.clocks.get(server.name());
		if (clock != null) {
			clock.set(ahead);
		}
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

	private RedisNode forgetful(String name, @Nullable ClockShim shim) {
		if (shim == null) {
			return RedisNode.start(name);
		}
		SteppedClock clock = shim.clock(name);
		this.clocks.put(name, clock);
		return RedisNode.start(name, clock.executable());
	}

	@Override
	public void close() {
		this.proxies.forEach((proxies) -> proxies.forEach(FaultProxy::close));
		this.servers.forEach(RedisNode::close);
	}

}

package dev.redlock.nemesis;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

import dev.redlock.nemesis.proxy.FaultProxy;
import dev.redlock.test.RedisNode;
import org.jspecify.annotations.Nullable;

/**
 * Real servers, the network to them, which can fail for one client and not for another,
 * and the clocks of servers and clients.
 */
final class Cluster implements AutoCloseable {

	private final List<RedisNode> servers = new ArrayList<>();

	private final ProxyNetwork network = new ProxyNetwork();

	private final Map<String, SteppedClock> clocks = new HashMap<>();

	private final Map<RedisNode, FailingDisk> disks = new HashMap<>();

	private final int durable;

	private final @Nullable ProcessShim shim;

	private Cluster(int durable, @Nullable ProcessShim shim) {
		this.durable = durable;
		this.shim = shim;
	}

	/**
	 * Starts the servers, the durable ones last.
	 * @param shim gives each client and each server that is not durable a clock of its
	 * own, and each durable server a disk, or null where none can be had
	 */
	static Cluster start(int servers, int durable, @Nullable ProcessShim shim) {
		Cluster cluster = new Cluster(durable, shim);
		try {
			for (int i = 0; i < servers; i++) {
				String name = String.valueOf((char) ('a' + i));
				boolean keeps = i >= servers - durable;
				cluster.servers
					.add(keeps ? cluster.startDurable(name) : cluster.network.start(name, cluster.clock(name)));
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
	 * Makes the clock of a server or client step to so much ahead of the others. Does
	 * nothing where its clock cannot be stepped.
	 */
	void setClock(String process, Duration ahead) {
		SteppedClock clock = this.clocks.get(process);
		if (clock != null) {
			clock.set(ahead);
		}
	}

	/**
	 * Makes the monotonic clock of a client that is stopped leave out the time that has
	 * passed. Does nothing where its clock cannot be changed.
	 */
	void hide(String client, Duration passed) {
		SteppedClock clock = this.clocks.get(client);
		if (clock != null) {
			clock.hide(passed);
		}
	}

	/**
	 * Cuts the power of a durable server, and starts it again with what is on its disk.
	 * @param torn which part of the writes that were not synced is there all the same
	 */
	void cutPower(RedisNode server, double torn) {
		Objects.requireNonNull(this.disks.get(server)).cutPower(server, torn);
	}

	List<RedisNode> forgetful() {
		return this.servers.subList(0, this.servers.size() - this.durable);
	}

	List<RedisNode> durable() {
		return this.servers.subList(this.servers.size() - this.durable, this.servers.size());
	}

	FaultProxy link(int client, int server) {
		return this.network.proxy(client, this.servers.get(server));
	}

	/**
	 * Starts a client, the arguments of which are followed by the addresses of all
	 * servers.
	 */
	ClientProcess startClient(int number, String name, Path directory, List<String> arguments) {
		SteppedClock clock = clock(name);
		List<String> prefix = (clock != null) ? clock.prefix() : List.of();
		List<String> all = new ArrayList<>(arguments);
		this.servers.forEach((server) -> all.add(this.network.address(number, server)));
		return ClientProcess.start(prefix, name, directory, ClientMain.class, all);
	}

	/**
	 * Notes each key of a lock or of a permit that is still on a server.
	 */
	void findOrphans(Set<String> names, int permits, History history) {
		for (RedisNode server : this.servers) {
			names.stream()
				.map((name) -> LockDriver.KEY_PREFIX + name)
				.flatMap((key) -> IntStream.rangeClosed(0, permits).mapToObj((i) -> (i > 0) ? key + "#" + i : key))
				.filter((key) -> !Long.valueOf(0).equals(server.command("EXISTS", key)))
				.forEach((key) -> history.note(Event.Kind.ORPHAN, key, server.name()));
		}
	}

	private RedisNode startDurable(String name) {
		FailingDisk disk = (this.shim != null) ? this.shim.disk(name) : null;
		RedisNode server = this.network.startDurable(name, disk);
		if (disk != null) {
			this.disks.put(server, disk);
		}
		return server;
	}

	private @Nullable SteppedClock clock(String process) {
		if (this.shim == null) {
			return null;
		}
		SteppedClock clock = this.shim.clock(process);
		this.clocks.put(process, clock);
		return clock;
	}

	@Override
	public void close() {
		this.servers.forEach(RedisNode::close);
		this.network.close();
	}

}

package dev.redlock.nemesis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import dev.redlock.nemesis.proxy.Link;
import dev.redlock.nemesis.proxy.Traffic;
import dev.redlock.nemesis.proxy.Traffic.Flow;
import dev.redlock.test.RedisNode;
import org.jspecify.annotations.Nullable;

/**
 * A host of its own for each server and each client: a network namespace with an address,
 * routes and a firewall, and a cable to a switch. Links fail by what administrators use,
 * and TCP makes of it what it does in a data centre. The run itself is on one more host,
 * the machine, with a cable to the same switch.
 */
final class HostNetwork implements Network {

	private static final int LONGEST_COMMAND_SECONDS = 30;

	/**
	 * Networks of 198.18.0.0/15 are set aside for tests of networks.
	 */
	private static final String SUBNET = "198.18.%d.";

	private static final int SUBNETS = 256;

	private static final int FIRST_CLIENT = 101;

	private static final int OWN = 254;

	private final String id;

	private final String subnet;

	private final Path directory;

	/**
	 * Hosts by name, with their addresses.
	 */
	private final Map<String, String> addresses = new TreeMap<>();

	private final Process remover;

	private HostNetwork(int servers, int clients, Path directory) throws IOException {
		long pid = ProcessHandle.current().pid();
		this.id = "rl" + Long.toString(pid, Character.MAX_RADIX);
		this.subnet = SUBNET.formatted(pid % SUBNETS);
		this.directory = directory;
		for (int i = 0; i < servers; i++) {
			this.addresses.put(String.valueOf((char) ('a' + i)), this.subnet + (i + 1));
		}
		for (int i = 0; i < clients; i++) {
			this.addresses.put(client(i), this.subnet + (FIRST_CLIENT + i));
		}
		this.remover = startRemover();
	}

	/**
	 * Makes the hosts.
	 * @param directory where to put scripts
	 * @throws Unavailable where that needs rights or programs that are missing
	 */
	static HostNetwork create(int servers, int clients, Path directory) {
		try {
			HostNetwork network = new HostNetwork(servers, clients, directory);
			try {
				network.buildSwitch();
				network.buildHosts();
				return network;
			}
			catch (RuntimeException ex) {
				network.close();
				throw ex;
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public RedisNode start(String name, @Nullable SteppedClock clock) {
		List<String> prefix = new ArrayList<>(inside(name));
		if (clock != null) {
			prefix.addAll(clock.prefix());
		}
		Path executable = Launcher.write(this.directory.resolve("redis-server-" + name), prefix, "--protected-mode no");
		return RedisNode.start(name, executable, address(name));
	}

	@Override
	public RedisNode startDurable(String name, @Nullable FailingDisk disk) {
		throw new UnsupportedOperationException("Servers on hosts of their own keep nothing");
	}

	@Override
	public List<String> clientPrefix(int client) {
		return inside(client(client));
	}

	@Override
	public String address(int client, RedisNode server) {
		return server.host() + ":" + server.port();
	}

	@Override
	public Link link(int client, RedisNode server) {
		return new HostLink(client(client), server.name());
	}

	@Override
	public void setCable(RedisNode server, boolean in) {
		run("ip -n %s link set dev %s %s".formatted(namespace("switch"), server.name(), in ? "up" : "down"));
	}

	@Override
	public String ownHost() {
		return this.subnet + OWN;
	}

	/**
	 * Ends all that runs on the hosts, and removes them.
	 */
	@Override
	public void close() {
		try {
			this.remover.getOutputStream().close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.remover.onExit().orTimeout(LONGEST_COMMAND_SECONDS, TimeUnit.SECONDS).join();
	}

	/**
	 * What to put before a command to run it on a host.
	 */
	List<String> inside(String host) {
		return List.of("ip", "netns", "exec", namespace(host));
	}

	/**
	 * Finds out whether there can be hosts at all: the rest only takes more of the same.
	 */
	private void buildSwitch() {
		try {
			run("""
					for program in ip iptables ss; do
						command -v $program > /dev/null || { echo "there is no program $program"; exit 1; }
					done
					ip netns add %1$s
					ip -n %1$s link add name bridge type bridge
					ip -n %1$s link set dev bridge up
					ip netns exec %1$s iptables -n -L > /dev/null""".formatted(namespace("switch")));
		}
		catch (IllegalStateException ex) {
			throw new Unavailable(String.valueOf(ex.getMessage()));
		}
	}

	private void buildHosts() {
		List<String> commands = new ArrayList<>();
		String plug = namespace("switch");
		this.addresses.forEach((host, address) -> {
			String namespace = namespace(host);
			commands.add("ip netns add " + namespace);
			commands
				.add("ip -n %s link add name %s type veth peer name cable netns %s".formatted(plug, host, namespace));
			commands.add("ip -n %s link set dev %s master bridge up".formatted(plug, host));
			commands.add("ip -n %s address add %s/24 dev cable".formatted(namespace, address));
			commands.add("ip -n %s link set cable up".formatted(namespace));
			commands.add("ip -n %s link set lo up".formatted(namespace));
		});
		commands.add("ip -n %s link add name run type veth peer name %s netns %d".formatted(plug, this.id,
				ProcessHandle.current().pid()));
		commands.add("ip -n %s link set dev run master bridge up".formatted(plug));
		commands.add("ip address add %s/24 dev %s".formatted(ownHost(), this.id));
		commands.add("ip link set %s up".formatted(this.id));
		run(String.join("\n", commands));
	}

	/**
	 * A shell that removes everything when its input ends: when it is closed, and when
	 * this JVM has ended for any reason.
	 */
	private Process startRemover() throws IOException {
		List<String> namespaces = new ArrayList<>(this.addresses.keySet().stream().map(this::namespace).toList());
		namespaces.add(namespace("switch"));
		String script = """
				trap '' HUP INT TERM
				read -r end
				for namespace in %s; do
					for process in $(ip netns pids $namespace); do kill -9 $process; done
					ip netns delete $namespace
				done
				ip link delete %s
				exit 0
				""".formatted(String.join(" ", namespaces), this.id);
		return new ProcessBuilder("sh", "-c", script).redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
	}

	private String namespace(String host) {
		return this.id + "-" + host;
	}

	private String address(String host) {
		String address = this.addresses.get(host);
		if (address == null) {
			throw new IllegalArgumentException("There is no host " + host);
		}
		return address;
	}

	private static String client(int number) {
		return "client" + number;
	}

	private static void run(String script) {
		try {
			Process process = new ProcessBuilder("sh", "-e", "-c", script).redirectErrorStream(true).start();
			process.onExit().orTimeout(LONGEST_COMMAND_SECONDS, TimeUnit.SECONDS).join();
			if (process.exitValue() != 0) {
				throw new IllegalStateException(
						new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip());
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Says why there can be no hosts.
	 */
	static final class Unavailable extends RuntimeException {

		private static final long serialVersionUID = 1L;

		Unavailable(String why) {
			super("No hosts of their own can be made here, which takes root, iproute2 and iptables: " + why);
		}

	}

	/**
	 * The way from a client's host to a server's. What must not arrive is dropped where
	 * it arrives.
	 */
	private final class HostLink implements Link {

		private final String client;

		private final String server;

		HostLink(String client, String server) {
			this.client = client;
			this.server = server;
		}

		@Override
		public void set(Traffic traffic) {
			run(lines(rule(this.server, this.client, traffic.toServer()),
					rule(this.client, this.server, traffic.toClient())));
		}

		@Override
		public void reset() {
			run(lines(destroy(this.client, this.server), destroy(this.server, this.client)));
		}

		@Override
		public void halfOpen() {
			// What the server says about the end of its connections does not arrive.
			run(lines(rule(this.client, this.server, Flow.DROP), destroy(this.server, this.client),
					rule(this.client, this.server, Flow.PASS)));
		}

		@Override
		public void setRoute(boolean there) {
			// Either does nothing if it is so already.
			run("ip -n %s route %s unreachable %s/32".formatted(namespace(this.client),
					there ? "flush type" : "replace", address(this.server)));
		}

		/**
		 * Sets the one rule by which a host drops what comes from another one.
		 */
		private String rule(String host, String from, Flow flow) {
			String table = "ip netns exec %s iptables -w 5".formatted(namespace(host));
			String drop = "INPUT -s %s -j DROP".formatted(address(from));
			return (flow == Flow.PASS) ? "%s -D %s 2> /dev/null || true".formatted(table, drop)
					: "%s -C %s 2> /dev/null || %s -A %s".formatted(table, drop, table, drop);
		}

		private String destroy(String host, String peer) {
			return "ip netns exec %s ss -K dst %s > /dev/null".formatted(namespace(host), address(peer));
		}

		private String lines(String... commands) {
			return String.join("\n", commands);
		}

	}

}

package dev.redlock.benchmarks.ensemble;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.redlock.benchmarks.contender.Contender;
import dev.redlock.benchmarks.contender.Terms;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.maintenance.StatusResponse;

/**
 * Members of an etcd cluster with the defaults of etcd: each write is on the disks of a
 * majority before it is answered.
 */
public final class EtcdServers implements Ensemble {

	/**
	 * The system property with the path of etcd, if it is not on the path.
	 */
	public static final String PROPERTY = "redlock.etcd";

	private static final long STATUS_WITHIN_SECONDS = 2;

	private final List<String> endpoints;

	private final List<ServerProcess> members = new ArrayList<>();

	private final Client client;

	private EtcdServers(Path executable, int size) {
		List<Integer> ports = ServerProcess.freePorts(2 * size);
		this.endpoints = ports.subList(0, size).stream().map(EtcdServers::url).toList();
		List<String> peers = ports.subList(size, 2 * size).stream().map(EtcdServers::url).toList();
		String cluster = IntStream.range(0, size)
			.mapToObj((member) -> "m" + member + "=" + peers.get(member))
			.collect(Collectors.joining(","));
		for (int member = 0; member < size; member++) {
			Path directory = ServerProcess.newDirectory();
			this.members.add(ServerProcess.start(directory,
					List.of(executable.toString(), "--name", "m" + member, "--data-dir", directory + "/data",
							"--listen-client-urls", this.endpoints.get(member), "--advertise-client-urls",
							this.endpoints.get(member), "--listen-peer-urls", peers.get(member),
							"--initial-advertise-peer-urls", peers.get(member), "--initial-cluster", cluster,
							"--log-level", "error")));
		}
		this.client = client();
	}

	/**
	 * Finds etcd.
	 * @return its path, empty if it is not installed
	 */
	public static Optional<Path> executable() {
		String named = System.getProperty(PROPERTY, "");
		String searchPath = named.isEmpty() ? System.getenv().getOrDefault("PATH", "") : "";
		return named.isEmpty() ? Pattern.compile(File.pathSeparator, Pattern.LITERAL)
			.splitAsStream(searchPath)
			.map((directory) -> Path.of(directory, "etcd"))
			.filter(Files::isExecutable)
			.findFirst() : Optional.of(Path.of(named));
	}

	/**
	 * Starts members and waits until they have a leader.
	 * @param executable the path of etcd
	 * @param size how many
	 * @return the members
	 */
	public static EtcdServers start(Path executable, int size) {
		EtcdServers servers = new EtcdServers(executable, size);
		try {
			servers.heal();
			return servers;
		}
		catch (RuntimeException ex) {
			servers.close();
			throw ex;
		}
	}

	@Override
	public String label() {
		return "etcd";
	}

	@Override
	public String version() {
		return status(0).getVersion();
	}

	@Override
	public int leader() {
		return IntStream.range(0, this.members.size())
			.filter((member) -> status(member).getLeader() == status(member).getHeader().getMemberId())
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("No member of etcd leads"));
	}

	@Override
	public Contender connect(Terms terms) {
		return new EtcdContender(client(), terms);
	}

	@Override
	public void kill(int member) {
		this.members.get(member).kill();
	}

	@Override
	public void freeze(int member) {
		this.members.get(member).freeze();
	}

	@Override
	public void heal() {
		this.members.forEach(ServerProcess::heal);
		for (int i = 0; i < this.members.size(); i++) {
			int member = i;
			this.members.get(member).awaitReady(() -> status(member).getLeader() != 0);
		}
	}

	@Override
	public void close() {
		this.client.close();
		this.members.forEach(ServerProcess::close);
	}

	private StatusResponse status(int member) {
		try {
			return this.client.getMaintenanceClient()
				.statusMember(this.endpoints.get(member))
				.orTimeout(STATUS_WITHIN_SECONDS, TimeUnit.SECONDS)
				.join();
		}
		catch (CompletionException ex) {
			throw new IllegalStateException("Member " + member + " of etcd does not answer", ex);
		}
	}

	private Client client() {
		return Client.builder().endpoints(this.endpoints.toArray(String[]::new)).build();
	}

	private static String url(int port) {
		return "http://127.0.0.1:" + port;
	}

}

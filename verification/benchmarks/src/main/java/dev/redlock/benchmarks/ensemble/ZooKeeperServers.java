package dev.redlock.benchmarks.ensemble;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.redlock.benchmarks.contender.Contender;
import dev.redlock.benchmarks.contender.Terms;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/**
 * Members of a ZooKeeper ensemble with the settings of its sample file: each write is on
 * the disks of a majority before it is answered. They are JVMs on the class path of this
 * one, because the client brings the server.
 */
public final class ZooKeeperServers implements Ensemble {

	private static final String SETTINGS = """
			tickTime=2000
			initLimit=10
			syncLimit=5
			dataDir=%s
			clientPort=%d
			clientPortAddress=127.0.0.1
			admin.enableServer=false
			%s
			""";

	private static final int STATUS_WITHIN_MILLIS = (int) TimeUnit.SECONDS.toMillis(2);

	private static final Pattern MODE = Pattern.compile("Mode: (leader|follower|standalone)");

	private static final Pattern VERSION = Pattern.compile("Zookeeper version: ([\\d.]+)");

	private final List<Integer> ports;

	private final List<ServerProcess> members = new ArrayList<>();

	private ZooKeeperServers(List<String> classPath, int size) {
		List<Integer> free = ServerProcess.freePorts(3 * size);
		this.ports = free.subList(0, size);
		String peers = IntStream.range(0, size)
			.mapToObj((member) -> "server." + (member + 1) + "=127.0.0.1:" + free.get(size + member) + ":"
					+ free.get(2 * size + member))
			.collect(Collectors.joining("\n"));
		for (int member = 0; member < size; member++) {
			Path directory = ServerProcess.newDirectory();
			Path settings = write(directory, member, (size > 1) ? peers : "", this.ports.get(member));
			this.members.add(ServerProcess.start(directory,
					List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
							"-XX:+UseSerialGC", "-cp", String.join(File.pathSeparator, classPath),
							QuorumPeerMain.class.getName(), settings.toString())));
		}
	}

	/**
	 * Starts members and waits until they have a leader.
	 * @param classPath the class path of this process
	 * @param size how many
	 * @return the members
	 */
	public static ZooKeeperServers start(List<String> classPath, int size) {
		ZooKeeperServers servers = new ZooKeeperServers(classPath, size);
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
		return "zookeeper";
	}

	@Override
	public String version() {
		return find(VERSION, 0);
	}

	@Override
	public int leader() {
		return IntStream.range(0, this.members.size())
			.filter((member) -> !find(MODE, member).equals("follower"))
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("No member of ZooKeeper leads"));
	}

	@Override
	public Contender connect(Terms terms) {
		return new CuratorContender(
				this.ports.stream().map((port) -> "127.0.0.1:" + port).collect(Collectors.joining(",")), terms);
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
			this.members.get(member).awaitReady(() -> !find(MODE, member).isEmpty());
		}
	}

	@Override
	public void close() {
		this.members.forEach(ServerProcess::close);
	}

	private static Path write(Path directory, int member, String peers, int port) {
		try {
			Path data = Files.createDirectory(directory.resolve("data"));
			Files.writeString(data.resolve("myid"), Integer.toString(member + 1));
			return Files.writeString(directory.resolve("zoo.cfg"), SETTINGS.formatted(data, port, peers));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The settings of ZooKeeper could not be written", ex);
		}
	}

	private String find(Pattern pattern, int member) {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.ports.get(member))) {
			socket.setSoTimeout(STATUS_WITHIN_MILLIS);
			socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
			Matcher matcher = pattern
				.matcher(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
			return matcher.find() ? matcher.group(1) : "";
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Member " + member + " of ZooKeeper does not answer", ex);
		}
	}

}
